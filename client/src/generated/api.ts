// Generated from client/openapi.json by `npm run client:generate`. Do not edit.

export interface paths {
    "/v1/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the health of the service and its components
         * @description With an API key, the response has the workspace of the caller, the brain context of the request, and the numbers of stuck runs and index failures of the workspace. Returns 503 if runs cannot be accepted. Without a worker, runs are accepted and wait.
         */
        get: operations["health.get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/health/live": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Check that the process is alive */
        get: operations["health.live"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/config": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read the models, the embedding settings, the limits and estimates of costs */
        get: operations["config.get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read this API description as OpenAPI */
        get: operations["openapi.get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/docs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read this API description as a web page
         * @description The page can send requests: enter an API key under Authentication.
         */
        get: operations["docs.page"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/docs/reference.js": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read the script of the web page */
        get: operations["docs.script"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/share-tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List share tokens, oldest first */
        get: operations["shareTokens.list"];
        put?: never;
        /** Create a share token for a receptor or a thread */
        post: operations["shareTokens.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/share-tokens/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Revoke a share token; requests with it fail within five seconds */
        delete: operations["shareTokens.revoke"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the members of the workspace, by name */
        get: operations["members.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/members/{actor}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Add a member, or replace the role and the groups of one
         * @description Credentials of the person have the new rights within five seconds. You can give and take away only roles whose permissions you have. Only members of a group, and owners, add others to it; another person who manages access adds you.
         */
        put: operations["members.save"];
        post?: never;
        /**
         * Remove a member, and end what acts for them
         * @description Revokes the sessions, API keys, share tokens, sign-in links and hook tokens of the person, switches off their triggers, and lists what others must take over. Runs in progress continue.
         */
        delete: operations["members.remove"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/members/{actor}/handover": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Hand the tasks and triggers of a person over to another member
         * @description Needs `jobs:control` for tasks and `resources:write` for triggers. Triggers are handed over once their person has left, and stay paused: who resumes one answers for its runs. You cannot take over yourself.
         */
        post: operations["members.handOver"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/brains": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the brains that the caller may see, oldest first */
        get: operations["brains.list"];
        put?: never;
        /** Create a brain */
        post: operations["brains.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/brains/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Rename a brain, make it the default of the workspace, or set its default map */
        patch: operations["brains.update"];
        trace?: never;
    };
    "/v1/public/receptors/{workspace_slug}/{slug}/invoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a message to the receptor of a share token
         * @description The token needs the right `write`. Follow the run by its stream, and read the thread. A thread that waits for your answer to a task takes no message.
         */
        post: operations["public.invokeReceptor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/public/traces/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a thread of a share token, oldest message first
         * @description The token needs the right `read`. Returns the messages of the thread without tool calls. `tasks` lists the questions of its runs to you.
         */
        get: operations["public.getTrace"];
        put?: never;
        /**
         * Send a message to a thread of a share token
         * @description The token needs the right `write`. A thread that waits for your answer to a task takes no message.
         */
        post: operations["public.continueTrace"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/public/jobs/{jobId}/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Stream the answer of a job of a shared thread
         * @description Server-sent events of the types `token`, `attempt_reset`, `status`, `task`, `gap`, `complete` and `error`, without nodes and causes. `task` is about what the run asks you. The token needs the right `read`.
         */
        get: operations["public.streamJob"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/public/jobs/{jobId}/input": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Answer what a job of a shared thread asks the visitor
         * @description The body is that of `POST /v1/jobs/:jobId/input`, with the token and the thread. The token needs the right `write`. Tasks of others do not exist here (404). A task that is answered or closed takes no other answer (409).
         */
        post: operations["public.answer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/neurons": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List neurons */
        get: operations["neurons.list"];
        put?: never;
        /**
         * Create a neuron
         * @description The resource is validated as a whole; the response lists every problem.
         */
        post: operations["neurons.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/neurons/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a neuron, optionally at an earlier version */
        get: operations["neurons.get"];
        put?: never;
        post?: never;
        /** Delete a neuron (can be restored) */
        delete: operations["neurons.delete"];
        options?: never;
        head?: never;
        /**
         * Change a neuron
         * @description Creates a new version with the given fields; null removes a field. Running jobs keep the version that they started with.
         */
        patch: operations["neurons.update"];
        trace?: never;
    };
    "/v1/neurons/{id}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Restore a neuron
         * @description Undoes a deletion. With `version`, the title and document of that version become a new version; its slug, folder, scope, brain and `is_active` stay as they are.
         */
        post: operations["neurons.restore"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/neurons/{id}/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the versions of a neuron, latest first */
        get: operations["neurons.history"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/neurons/{id}/used-by": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the resources that refer to a neuron
         * @description Live resources whose latest versions refer to this one by id or slug, newest first: pathways and neurons, receptors, triggers and reflexes.
         */
        get: operations["neurons.usedBy"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/neurons/{id}/diff": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Compare two versions of a neuron */
        get: operations["neurons.diff"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/neurons/{id}/invoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Invoke a neuron
         * @description Returns the answer. Returns 202 with the job to follow if `stream` is set, if the run takes longer than 25 seconds or if it waits for an intervention. `id` may name a version: `helper@3`.
         */
        post: operations["neurons.invoke"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/receptors": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List receptors */
        get: operations["receptors.list"];
        put?: never;
        /**
         * Create a receptor
         * @description The resource is validated as a whole; the response lists every problem.
         */
        post: operations["receptors.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/receptors/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a receptor, optionally at an earlier version
         * @description The response has the receptor in `receptor`.
         */
        get: operations["receptors.get"];
        put?: never;
        post?: never;
        /** Delete a receptor (can be restored) */
        delete: operations["receptors.delete"];
        options?: never;
        head?: never;
        /**
         * Change a receptor
         * @description Creates a new version with the given fields; null removes a field. Running jobs keep the version that they started with.
         */
        patch: operations["receptors.update"];
        trace?: never;
    };
    "/v1/receptors/{id}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Restore a receptor
         * @description Undoes a deletion. With `version`, the title and document of that version become a new version; its slug, folder, scope, brain and `is_active` stay as they are.
         */
        post: operations["receptors.restore"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/receptors/{id}/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the versions of a receptor, latest first */
        get: operations["receptors.history"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/receptors/{id}/used-by": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the resources that refer to a receptor
         * @description Live resources whose latest versions refer to this one by id or slug, newest first: pathways and neurons, receptors, triggers and reflexes.
         */
        get: operations["receptors.usedBy"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/receptors/{id}/diff": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Compare two versions of a receptor */
        get: operations["receptors.diff"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/receptors/{workspace_slug}/{slug_or_id}/invoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a message to the target of a receptor
         * @description Returns the answer. Returns 202 with the job to follow if `stream` is set, if the run takes longer than 25 seconds or if it waits for an intervention.
         */
        post: operations["receptors.invoke"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/skills": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List skills */
        get: operations["skills.list"];
        put?: never;
        /**
         * Create a skill
         * @description The resource is validated as a whole; the response lists every problem.
         */
        post: operations["skills.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/skills/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a skill, optionally at an earlier version */
        get: operations["skills.get"];
        put?: never;
        post?: never;
        /** Delete a skill (can be restored) */
        delete: operations["skills.delete"];
        options?: never;
        head?: never;
        /**
         * Change a skill
         * @description Creates a new version with the given fields; null removes a field. Running jobs keep the version that they started with.
         */
        patch: operations["skills.update"];
        trace?: never;
    };
    "/v1/skills/{id}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Restore a skill
         * @description Undoes a deletion. With `version`, the title and document of that version become a new version; its slug, folder, scope, brain and `is_active` stay as they are.
         */
        post: operations["skills.restore"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/skills/{id}/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the versions of a skill, latest first */
        get: operations["skills.history"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/skills/{id}/used-by": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the resources that refer to a skill
         * @description Live resources whose latest versions refer to this one by id or slug, newest first: pathways and neurons, receptors, triggers and reflexes.
         */
        get: operations["skills.usedBy"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/skills/{id}/diff": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Compare two versions of a skill */
        get: operations["skills.diff"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/chat/{traceId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a message to a thread
         * @description Messages of a thread are answered one at a time, in order of arrival.
         */
        post: operations["chat.send"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/traces": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List threads, latest first */
        get: operations["traces.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/traces/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a thread with its messages, oldest first */
        get: operations["traces.get"];
        put?: never;
        post?: never;
        /**
         * Delete a thread with what was said in it
         * @description The thread is deleted at once. A job then cancels its open runs, and removes its messages, the recollections from it, and what its jobs and their child runs were given, did and said. The result of the job counts what was removed. Ids, statuses, times, usage and the audit log remain, and so do artifacts that the runs wrote. Where the thread or one of its runs is of somebody else, this needs the permission `jobs:control`, too.
         */
        delete: operations["traces.delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Aggregate usage by day, kind, model, neuron, pathway or job, and read the plan */
        get: operations["usage.get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/activity": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List recorded changes, newest first
         * @description The audit log of the workspace. A request that names a brain gets the changes in it and those of the workspace itself. An API key that is bound to brains gets the changes in its brains, and of those of the workspace only its own.
         */
        get: operations["activity.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/recollections": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List recollections of neurons, latest first */
        get: operations["recollections.list"];
        put?: never;
        /** Create a recollection */
        post: operations["recollections.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/recollections/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Search the recollections of a neuron, by keywords and semantically */
        post: operations["recollections.search"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/recollections/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Delete a recollection */
        delete: operations["recollections.delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/pathways": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List pathways */
        get: operations["pathways.list"];
        put?: never;
        /**
         * Create a pathway
         * @description The definition is validated as a whole; the response lists every problem.
         */
        post: operations["pathways.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/pathways/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a pathway, optionally at an earlier version */
        get: operations["pathways.get"];
        put?: never;
        post?: never;
        /**
         * Delete a pathway (can be restored)
         * @description Running jobs continue.
         */
        delete: operations["pathways.delete"];
        options?: never;
        head?: never;
        /**
         * Change a pathway
         * @description Creates a new version. Running jobs keep the version that they started with.
         */
        patch: operations["pathways.update"];
        trace?: never;
    };
    "/v1/pathways/{id}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Restore a pathway
         * @description Undoes a deletion. With `version`, the title and document of that version become a new version; its slug, folder, scope, brain and `is_active` stay as they are.
         */
        post: operations["pathways.restore"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/pathways/{id}/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the versions of a pathway, latest first */
        get: operations["pathways.history"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/pathways/{id}/used-by": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the resources that refer to a pathway
         * @description Live resources whose latest versions refer to this one by id or slug, newest first: pathways and neurons, receptors, triggers and reflexes.
         */
        get: operations["pathways.usedBy"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/pathways/{id}/diff": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Compare two versions of a pathway */
        get: operations["pathways.diff"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/pathways/validate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Check a definition without saving it
         * @description Finds what a save would refuse, and what it would warn of. What the definition refers to must exist.
         */
        post: operations["pathways.validate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/pathways/dry-run": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Simulate a definition that is not stored
         * @description As the simulation of a stored pathway. What the definition refers to must exist.
         */
        post: operations["pathways.dryRunDefinition"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/pathways/{id}/dry-run": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Simulate a pathway without side effects
         * @description Nodes with side effects use the given outputs. The simulation stops at a node whose output is missing.
         */
        post: operations["pathways.dryRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/pathways/{id}/execute": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Start a run of a pathway */
        post: operations["pathways.execute"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/jobs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List jobs, latest first */
        get: operations["jobs.list"];
        put?: never;
        /** Start a run of a stored or an inline pathway */
        post: operations["jobs.start"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/jobs/bulk": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel, pause, resume, retry or migrate all runs of a filter
         * @description A job of the kind `bulk` applies the operation to one run after the other, the oldest first, at most `per_second`. Its runs are those that match the filter when it is accepted, and still match it when their turn comes. `bulk` in its record counts them; `POST /v1/jobs/:jobId/cancel` stops it between two runs. A dry run starts nothing. A retry also needs the permission `jobs:start`. `migrate` takes the option `to_version`: each run moves to that version of its pathway.
         */
        post: operations["jobs.bulk"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/jobs/counts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count jobs by status and outcome
         * @description Counts what the list would have with the same filters, in each status and with each outcome.
         */
        get: operations["jobs.counts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/jobs/diagnosis": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count jobs by the cause of where they are
         * @description Takes the filters of the list. Of open jobs it examines the 200 oldest, for at most 2 seconds; `not_examined` counts the others.
         */
        get: operations["jobs.causes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/jobs/{jobId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a job with its nodes */
        get: operations["jobs.get"];
        put?: never;
        post?: never;
        /**
         * Remove the content of a job permanently
         * @description A job of the kind `purge` removes inputs, results, nodes, streams and payloads of the job and its child runs, and the recording of a transcription. An open run is cancelled first. The record stays, without content and with `purged_at`. The content of a job of a thread is removed with the thread, that of an asset or a meeting with the resource.
         */
        delete: operations["jobs.purge"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/jobs/{jobId}/definition": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read the pathway that a run follows, as it was pinned */
        get: operations["jobs.definition"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/jobs/{jobId}/diagnosis": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Tell why a job is where it is
         * @description Names one cause, since when, what shows it, and what to do. It answers within 2 seconds; `missing` names what it could not find by then, and the cause does not rest on it.
         */
        get: operations["jobs.diagnosis"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/jobs/{jobId}/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a job without its nodes */
        get: operations["jobs.status"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/jobs/{jobId}/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Stream the events of a job
         * @description Server-sent events: `id: <stream id>`, then `data: <JSON>` of the schema JobEvent. Lines that begin with a colon are keep-alives. Retained events come first. The stream ends after `complete` or `error`. To resume, pass the last id as `after` or as `Last-Event-ID`. A `gap` event means that earlier events are no longer retained. The state of the job follows it.
         */
        get: operations["jobs.stream"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/jobs/{jobId}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a job
         * @description Stops running nodes and compensates completed ones where a compensation is defined. The receipt lists the outcome of each node.
         */
        post: operations["jobs.cancel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/jobs/{jobId}/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Pause a job before its next node */
        post: operations["jobs.pause"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/jobs/{jobId}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resume a paused or waiting job, or deliver an event to it
         * @description A paused job goes on. Otherwise the `wait` nodes in which the job and its child runs are end now. With `event`, only the nodes of this job that wait for that event end, with `data`, and `delivered_to` has their keys; an event that none waits for yet is kept.
         */
        post: operations["jobs.resume"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/jobs/{jobId}/fork": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Go on from a node of a run, in a new run
         * @description The new run takes over the outputs and decisions before `from_node`, and goes on from there, for the requester of the run. Its effects have idempotency keys of their own. A dry run lists what is reused, what runs, and which effects happen a second time.
         */
        post: operations["jobs.fork"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/jobs/{jobId}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Go on with what failed in a run, in a new run
         * @description A fork with all that the failed run did not complete. What the run has compensated is done again. See `POST /v1/jobs/:jobId/fork`.
         */
        post: operations["jobs.retry"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/jobs/{jobId}/input": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Answer an intervention of a job
         * @description The answer must fit the open intervention that it names. A refused answer does not change the run. While no worker takes the answer, the response is 202 with `pending: true`: the answer may still count, and cannot be taken back. The same answer has the same outcome, and another one gets 409 until the first is decided. After `decided: true` every read shows the decision.
         */
        post: operations["jobs.answer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/jobs/migrate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Move waiting and paused runs to another version of their pathway
         * @description A run can move where a new run of the other version with the same answers would be where it is now: the nodes that it has reached are the same, open interventions are asked as before, and nothing else would have begun. Each run moves by itself, between two steps, or stays as it is. Whoever migrates a run, and the authors of the new version, become people behind the run: an approval with `exclude_requester` excludes them. A repeat of the call moves no run twice. With one id in `job_ids`, a run that cannot move gives 409.
         */
        post: operations["jobs.migrate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/jobs/{jobId}/migration/undo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Move a run back to the version before its last move
         * @description Possible until the next step of the run. With `migration_id`, a newer move is not undone: 409 names it.
         */
        post: operations["jobs.undoMigration"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/interventions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List interventions */
        get: operations["interventions.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/interventions/counts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Count the open interventions, those of the caller and those of its groups */
        get: operations["interventions.counts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/interventions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read an intervention with its answers */
        get: operations["interventions.get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/interventions/{id}/reopen": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Decide again, in a new run
         * @description A fork of the run at the node of a closed intervention, for those who may decide. The run and its decision stay as they are, and the reason is kept. See `POST /v1/jobs/:jobId/fork`.
         */
        post: operations["interventions.reopen"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/interventions/answers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give one answer to many interventions, or preview it
         * @description Each is accepted or refused by itself. A preview (`dry_run`) says what would become of each and has the `shown_hash` that the answer then needs, so that only what was seen is answered. The same request again changes nothing.
         */
        post: operations["interventions.answerMany"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/interventions/{id}/claim": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Claim an intervention, so that no other person answers it */
        post: operations["interventions.claim"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/interventions/{id}/release": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** End the claim of the caller */
        post: operations["interventions.release"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/interventions/{id}/delegate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Hand over the right to answer to another person
         * @description The caller may not answer any more. Four eyes and the quorum hold for the other person too.
         */
        post: operations["interventions.delegate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/interventions/{id}/reassign": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Say who may answer instead of the present assignees
         * @description Ends a claim and all delegations. Who started a run and may not decide may not reassign either.
         */
        post: operations["interventions.reassign"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/interventions/{id}/comments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Comment on an open intervention without answering it */
        post: operations["interventions.comment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/absences": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the absences that have not ended */
        get: operations["absences.list"];
        /** Name a substitute for a person */
        put: operations["absences.save"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/absence": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Name a substitute for the caller */
        put: operations["absences.saveOwn"];
        post?: never;
        /** End the absence of the caller */
        delete: operations["absences.endOwn"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/absences/{actor}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** End the absence of a person */
        delete: operations["absences.end"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/calendars": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the working calendars */
        get: operations["calendars.list"];
        /**
         * Create or replace a working calendar
         * @description Runs that have started keep the calendar that they started with.
         */
        put: operations["calendars.save"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/calendars/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Delete a working calendar; runs that name it no longer start */
        delete: operations["calendars.delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/interventions/{id}/evidence": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what proves a decision, as a signed document
         * @description Works after the run was purged or has expired: the texts are then missing, `purged_at` is set, and the caller needs `activity:read`.
         */
        get: operations["interventions.evidence"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/evidence-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the public keys that verify evidence */
        get: operations["interventions.evidenceKeys"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Stream the events of the workspace
         * @description Server-sent events in the form of a job stream, for changes of resources, runs and interventions, as far as the permissions of the caller to read them go. They name what has changed; its content is read by id. The stream begins with a `position` and goes on until the client disconnects. To resume, pass the last id as `after` or as `Last-Event-ID`; a `gap` says that events since then are no longer kept. The events of one resource, job or intervention come in order.
         */
        get: operations["events.stream"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List webhooks, latest first */
        get: operations["webhooks.list"];
        put?: never;
        /**
         * Create a webhook
         * @description Each event of the types is sent to the URL by POST, with the body of the event stream and the headers of Standard Webhooks: `webhook-id`, `webhook-timestamp` and `webhook-signature`. A delivery that is not answered with a status of 2xx within 15 seconds is repeated, with growing delays, for about a day. Deliveries may come more than once and in any order; `webhook-id` stays the same.
         */
        post: operations["webhooks.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a webhook */
        get: operations["webhooks.get"];
        put?: never;
        post?: never;
        /** Delete a webhook with its log */
        delete: operations["webhooks.delete"];
        options?: never;
        head?: never;
        /** Change a webhook, disable it or enable it again */
        patch: operations["webhooks.update"];
        trace?: never;
    };
    "/v1/webhooks/{id}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replace the secret of a webhook
         * @description Until the end of the overlap each delivery has two signatures, one of each secret.
         */
        post: operations["webhooks.rotateSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the deliveries of a webhook, latest first */
        get: operations["webhooks.deliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}/deliveries/{deliveryId}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Deliver again what has succeeded or failed
         * @description Body and `webhook-id` are those of the first delivery.
         */
        post: operations["webhooks.replay"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Deliver an event of the type `webhook.test` */
        post: operations["webhooks.test"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Search for resources as a job
         * @description The result of the job has the form of the `POST /v1/search` response.
         */
        get: operations["search.start"];
        put?: never;
        /**
         * Search for resources
         * @description The default mode is hybrid: keyword and semantic results are merged into one ranking. Returns at most 200 matches, one per resource, best first.
         */
        post: operations["search.query"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/stakeholders/latest": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read the latest version of a stakeholder map */
        get: operations["stakeholders.latest"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/stakeholders/diff": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Compare two states of a stakeholder map
         * @description People and relations that were added, removed or changed, field by field and in sentences.
         */
        get: operations["stakeholders.diff"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/stakeholders/{node_id}/briefing": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read all that is known of a stakeholder
         * @description Who it is, relations in both directions, what has changed and when, documents and meetings that name the person, and open interventions assigned to them.
         */
        get: operations["stakeholders.briefing"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/stakeholders/graph.svg": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Draw a stakeholder map
         * @description An SVG picture for light and dark schemes: colours by stance, sizes by influence. With `diff`, changes are marked. Or the graph as Mermaid or GraphML.
         */
        get: operations["stakeholders.graph"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/stakeholders/extract": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Propose changes of a map from a document, a transcript or a text
         * @description Starts a run: a model finds people and relations, and an approval shows the changes. Approving applies them as the next version; if the map has changed meanwhile, the run fails with CONFLICT.
         */
        post: operations["stakeholders.extract"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/reflexes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List reflexes */
        get: operations["reflexes.list"];
        put?: never;
        /**
         * Create a reflex
         * @description If only `url` is given, a job lists the tools at that address; `job_id` names the job.
         */
        post: operations["reflexes.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/reflexes/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a reflex, optionally at an earlier version */
        get: operations["reflexes.get"];
        put?: never;
        post?: never;
        /**
         * Delete a reflex (can be restored)
         * @description Its tools cannot be called until it is restored, not even by running jobs.
         */
        delete: operations["reflexes.delete"];
        options?: never;
        head?: never;
        /**
         * Change a reflex
         * @description Creates a new version. Running jobs keep the version that they started with.
         */
        patch: operations["reflexes.update"];
        trace?: never;
    };
    "/v1/reflexes/{id}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Restore a reflex
         * @description Undoes a deletion. With `version`, the title and document of that version become a new version; its slug, folder, scope, brain and `is_active` stay as they are.
         */
        post: operations["reflexes.restore"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/reflexes/{id}/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the versions of a reflex, latest first */
        get: operations["reflexes.history"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/reflexes/{id}/used-by": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the resources that refer to a reflex
         * @description Live resources whose latest versions refer to this one by id or slug, newest first: pathways and neurons, receptors, triggers and reflexes.
         */
        get: operations["reflexes.usedBy"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/reflexes/{id}/diff": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Compare two versions of a reflex */
        get: operations["reflexes.diff"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/reflexes/{id}/refresh": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Refresh the tools of a reflex from its source
         * @description The job saves a new version if the tools have changed.
         */
        post: operations["reflexes.refresh"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tools": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the tools of all active reflexes */
        get: operations["tools.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tools/{name}/call": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Call a tool
         * @description The call runs as a job. Returns 202 if it takes longer than 25 seconds. If the tool fails, the response has the error code of the job.
         */
        post: operations["tools.call"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/secrets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the secrets of the workspace by name, without their values */
        get: operations["secrets.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/secrets/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Create a secret, or replace its value and hosts
         * @description Calls that begin afterwards send the new value. The value is stored encrypted, and never shown.
         */
        put: operations["secrets.save"];
        post?: never;
        /** Delete a secret; calls that name it fail from then on */
        delete: operations["secrets.delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/transcribe": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Transcribe audio
         * @description Starts a job with the `result` `{text, language?, duration_seconds, segments[{start, end, text}]}`, with times in seconds. Long audio is split into pieces. `progress` of the job and `progress` events of its stream count the pieces. The maximum size is `limits.audio_bytes` of GET /v1/config.
         */
        post: operations["transcribe.start"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/meetings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List meetings, latest first */
        get: operations["meetings.list"];
        put?: never;
        /**
         * Create a meeting
         * @description The meeting becomes live with its first piece of audio.
         */
        post: operations["meetings.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/meetings/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a meeting, optionally at an earlier version */
        get: operations["meetings.get"];
        put?: never;
        post?: never;
        /** Delete a meeting (can be restored) */
        delete: operations["meetings.delete"];
        options?: never;
        head?: never;
        /** Change the fields of a meeting */
        patch: operations["meetings.update"];
        trace?: never;
    };
    "/v1/meetings/{id}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Restore a meeting
         * @description Undoes a deletion. With `version`, the title and document of that version become a new version; its slug, folder, scope, brain and `is_active` stay as they are.
         */
        post: operations["meetings.restore"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/meetings/{id}/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the versions of a meeting, latest first */
        get: operations["meetings.history"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/meetings/{id}/used-by": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the resources that refer to a meeting
         * @description Live resources whose latest versions refer to this one by id or slug, newest first: pathways and neurons, receptors, triggers and reflexes.
         */
        get: operations["meetings.usedBy"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/meetings/{id}/diff": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Compare two versions of a meeting */
        get: operations["meetings.diff"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/meetings/{id}/audio": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Upload a piece of the audio of a meeting
         * @description Each piece is a complete file. Pieces may be sent in any order and repeatedly. The same bytes under the same `seq` are the same piece; other bytes replace it until the meeting ends. The transcript of each piece is a `segment` event of the stream of the meeting.
         */
        post: operations["meetings.addAudio"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/meetings/{id}/end": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End a meeting
         * @description No more audio is accepted. When every piece is transcribed, the transcript is saved in the meeting and as an artifact. 202 means that transcription is still in progress; the stream reports its end.
         */
        post: operations["meetings.end"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/meetings/{id}/transcript": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read the transcript so far */
        get: operations["meetings.transcript"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/meetings/{id}/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Stream the events of a meeting
         * @description Server-sent events in the form of a job stream: a `segment` for each transcribed piece, in order of transcription, `ended` with the transcript, then `complete`. A replaced piece is sent again. The stream can be opened before the first piece. To resume, pass the last id as `after` or as `Last-Event-ID`.
         */
        get: operations["meetings.stream"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/triggers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List triggers */
        get: operations["triggers.list"];
        put?: never;
        /**
         * Create a trigger
         * @description The resource is validated as a whole; the response lists every problem.
         */
        post: operations["triggers.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/triggers/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a trigger, optionally at an earlier version */
        get: operations["triggers.get"];
        put?: never;
        post?: never;
        /** Delete a trigger (can be restored) */
        delete: operations["triggers.delete"];
        options?: never;
        head?: never;
        /**
         * Change a trigger
         * @description Creates a new version with the given fields; null removes a field. Running jobs keep the version that they started with.
         */
        patch: operations["triggers.update"];
        trace?: never;
    };
    "/v1/triggers/{id}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Restore a trigger
         * @description Undoes a deletion. With `version`, the title and document of that version become a new version; its slug, folder, scope, brain and `is_active` stay as they are.
         */
        post: operations["triggers.restore"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/triggers/{id}/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the versions of a trigger, latest first */
        get: operations["triggers.history"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/triggers/{id}/used-by": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the resources that refer to a trigger
         * @description Live resources whose latest versions refer to this one by id or slug, newest first: pathways and neurons, receptors, triggers and reflexes.
         */
        get: operations["triggers.usedBy"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/triggers/{id}/diff": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Compare two versions of a trigger */
        get: operations["triggers.diff"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/triggers/{id}/fire": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Fire a trigger
         * @description Evaluates filter, limits and input as for any other event, and starts a run. Works for triggers of all types, also while they are paused.
         */
        post: operations["triggers.fire"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/triggers/{id}/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the firings of a trigger, latest first
         * @description Every event that reached the trigger, with the decision about it and the job that it started.
         */
        get: operations["triggers.runs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/triggers/{id}/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the next times of a schedule */
        get: operations["triggers.preview"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/triggers/{id}/backfill": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Fire for the times of a period of a schedule
         * @description Fires for each time of the period as if it came now, one run after the other unless `overlap` is `allow`. A time that has fired does not fire again, so that a request may be repeated.
         */
        post: operations["triggers.backfill"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/triggers/{id}/runs/{firing_id}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Fire a trigger again with the event of an earlier firing
         * @description The result is a new firing, whose `replay_of` names the earlier one. The trigger decides as it is now, also while it is paused.
         */
        post: operations["triggers.replay"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/triggers/{id}/hook": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read the state of a hook, without its secret parts */
        get: operations["triggers.hook"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/triggers/{id}/rotate-token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make the address of a hook, or replace it
         * @description The token is shown once. The one before stays valid for `overlap_hours`; older ones end at once.
         */
        post: operations["triggers.rotateToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/triggers/{id}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Set the secret of signatures of a hook, or replace it
         * @description Signatures of the secret before are accepted for `overlap_hours`. A secret that was made is shown once; one that was sent is not shown again.
         */
        post: operations["triggers.rotateSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/public/hooks/{token}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a request to a webhook trigger
         * @description The body may be JSON, a form or anything else, of at most 1 MB after inflation. The signature is checked as the settings of the trigger say. Copies of one delivery start one run, and each response has the id of its job. After 409 and 429 the decision may change, and a repeat of the delivery is decided again.
         */
        post: operations["public.receiveHook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/automations/graph": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List triggers and their targets
         * @description With `format`, as a picture for light and dark schemes, or as a Mermaid flowchart.
         */
        get: operations["automations.graph"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/browse": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * List the resources of a kind, last changed first
         * @description With `full_heads`, a page of large documents may have fewer entries than `limit`; see `has_more`.
         */
        post: operations["browse.list"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/browse/resource-tree": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * List the direct children of one or more folders
         * @description Folders come first, by name, then resources by title. A folder exists while it or a folder below it holds a resource. With `parent_keys`, the response has `parents`, an object by key.
         */
        post: operations["browse.tree"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/resources/tree": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a subtree as rows or as folders
         * @description Entries are in tree order: the resources of a folder come before those of the folders below it.
         */
        get: operations["resources.tree"];
        put?: never;
        /** List a subtree, with the query in the body */
        post: operations["resources.queryTree"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/resources/move": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Move resources and folders into a folder
         * @description Moves all or nothing. If an entry cannot be moved, `details` lists each such entry. A folder keeps its name and content. It is merged into a folder of the same name at the target.
         */
        post: operations["resources.move"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/assets/ingest": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ingest a document
         * @description Reads text, Markdown, HTML, PDF, DOCX, XLSX, EML, CSV, JSON and audio (WAV, MP3, M4A, WebM, Ogg, FLAC, AAC, AMR, 3GP and AIFF). Images, video, archives and other Office files are stored without text. The text of audio is its transcript. The document is stored immediately. Plain text, Markdown, CSV and JSON up to 1 MB are read at once; of other documents a job extracts the text. If that fails, `extraction` of the asset holds the reason. In a brain, a `source_key` identifies a document. Without one, its folder and file name do, and without a file name its folder and bytes. Sending the same file again has no effect. New bytes create the next version. Other values of `title`, `description`, `metadata` and the type create it too, as do `path` and `file_name` with a `source_key`; `updated` names what changed, and omitted fields keep their values. The same bytes in another folder, or under another name, are another document. Ingesting a document again retries a failed extraction. A body `{documents}` has up to 100 documents, which are ingested in their order. The response has one result for each: what the document alone would have been answered, with its `status`. A failure that is not caused by a document ends the batch with 500 or 503, and the batch can be repeated.
         */
        post: operations["assets.ingest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/assets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List assets, latest first */
        get: operations["assets.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/assets/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read an asset, optionally at an earlier version */
        get: operations["assets.get"];
        put?: never;
        post?: never;
        /** Delete an asset (can be restored) */
        delete: operations["assets.delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/assets/{id}/content": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download the bytes of an asset
         * @description Returns the content as a file. `ETag` is its SHA-256. `If-None-Match` and a single `Range` in bytes are supported.
         */
        get: operations["assets.content"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/assets/{id}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Restore an asset
         * @description Undoes a deletion. With `version`, the title and document of that version become a new version; its slug, folder, scope, brain and `is_active` stay as they are.
         */
        post: operations["assets.restore"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/assets/{id}/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the versions of an asset, latest first */
        get: operations["assets.history"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/assets/{id}/used-by": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the resources that refer to an asset
         * @description Live resources whose latest versions refer to this one by id or slug, newest first: pathways and neurons, receptors, triggers and reflexes.
         */
        get: operations["assets.usedBy"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/assets/{id}/diff": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Compare two versions of an asset */
        get: operations["assets.diff"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/artifacts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List artifacts, latest first */
        get: operations["artifacts.list"];
        put?: never;
        /** Create an artifact */
        post: operations["artifacts.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/artifacts/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an artifact, optionally at an earlier version
         * @description The text is served by `/v1/artifacts/{id}/content`.
         */
        get: operations["artifacts.get"];
        put?: never;
        post?: never;
        /** Delete an artifact (can be restored) */
        delete: operations["artifacts.delete"];
        options?: never;
        head?: never;
        /**
         * Change an artifact
         * @description Creates a new version. The body has exactly one of `content`, `merge` and `ops`. `content` changes the text. `merge` and `ops` change the other fields, in the shape of `/v1/resources/artifacts`.
         */
        patch: operations["artifacts.update"];
        trace?: never;
    };
    "/v1/artifacts/{id}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Restore an artifact
         * @description Undoes a deletion. With `version`, the title and document of that version become a new version; its slug, folder, scope, brain and `is_active` stay as they are.
         */
        post: operations["artifacts.restore"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/artifacts/{id}/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the versions of an artifact, latest first */
        get: operations["artifacts.history"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/artifacts/{id}/used-by": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the resources that refer to an artifact
         * @description Live resources whose latest versions refer to this one by id or slug, newest first: pathways and neurons, receptors, triggers and reflexes.
         */
        get: operations["artifacts.usedBy"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/artifacts/{id}/diff": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Compare two versions of an artifact */
        get: operations["artifacts.diff"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/artifacts/{id}/content": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download the text of an artifact
         * @description Returns the content as a file. `ETag` is its SHA-256. `If-None-Match` and a single `Range` in bytes are supported.
         */
        get: operations["artifacts.content"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/resources/dry-run": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Validate the saves of several resources without saving them
         * @description Returns for each resource what a save would do, the resource after it, or every problem. Resources of one request may refer to each other.
         */
        post: operations["resources.dryRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/resources/{catalog}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the resources of a kind */
        get: operations["resources.list"];
        put?: never;
        /**
         * Create a resource
         * @description The document is validated as a whole; the response lists every problem.
         */
        post: operations["resources.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/resources/{catalog}/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a resource */
        get: operations["resources.get"];
        put?: never;
        post?: never;
        /**
         * Delete a resource (can be restored, unless it is purged)
         * @description With `purge=true` a job also removes the content permanently: of a live resource or of one that was deleted before, with all versions, extracted text, contents that nothing else has, and the jobs that extracted it; of a meeting also its jobs, recordings and the artifact with its transcript. The result of the job counts what was removed. A purge needs the permission `jobs:control`, too.
         */
        delete: operations["resources.delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/resources/{catalog}/{id}/patch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Change a resource
         * @description Creates a new version. The body has exactly one of `ops`, `merge`, `delta` and `content`.
         */
        post: operations["resources.update"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/resources/{catalog}/{id}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Restore a resource
         * @description Undoes a deletion. With `version`, the title and document of that version become a new version; its slug, folder, scope, brain and `is_active` stay as they are.
         */
        post: operations["resources.restore"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/resources/{catalog}/{id}/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the versions of a resource, latest first */
        get: operations["resources.history"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/resources/{catalog}/{id}/versions/{version}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a version of a resource */
        get: operations["resources.getVersion"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/resources/{catalog}/{id}/used-by": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the resources that refer to a resource
         * @description Live resources whose latest versions refer to this one by id or slug, newest first: pathways and neurons, receptors, triggers and reflexes.
         */
        get: operations["resources.usedBy"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/resources/{catalog}/{id}/diff": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Compare two versions of a resource */
        get: operations["resources.diff"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description A graph in the format pathway/1 */
        PathwayDefinition: {
            nodes: components["schemas"]["PathwayNode"][];
            edges: {
                from: string;
                on?: string;
                to: string;
            }[];
            /** @constant */
            schema: "pathway/1";
            input?: Record<string, unknown>;
            run_title?: string;
        };
        /** @description The graph that a map or a loop repeats */
        PathwayBody: {
            nodes: components["schemas"]["PathwayNode"][];
            edges: {
                from: string;
                on?: string;
                to: string;
            }[];
        };
        PathwayNode: components["schemas"]["PathwayTransformNode"] | components["schemas"]["PathwaySwitchNode"] | components["schemas"]["PathwayHttpNode"] | components["schemas"]["PathwayNeuronNode"] | components["schemas"]["PathwaySearchNode"] | components["schemas"]["PathwayToolNode"] | components["schemas"]["PathwayTranscribeNode"] | components["schemas"]["PathwayStakeholdersNode"] | components["schemas"]["PathwayMapNode"] | components["schemas"]["PathwayLoopNode"] | components["schemas"]["PathwayPathwayNode"] | components["schemas"]["PathwayHumanNode"] | components["schemas"]["PathwayWaitNode"] | components["schemas"]["PathwayJoinNode"] | components["schemas"]["PathwayEndNode"];
        PathwayTransformNode: {
            id: string;
            /** @constant */
            type: "transform";
            title?: string;
            trust?: true | ("visitor" | "event" | "http" | "search" | "document" | "tool" | "memory" | "model")[];
            with: {
                value: unknown;
            };
        };
        PathwaySwitchNode: {
            id: string;
            /** @constant */
            type: "switch";
            title?: string;
            trust?: true | ("visitor" | "event" | "http" | "search" | "document" | "tool" | "memory" | "model")[];
            cases: {
                port: string;
                when: string;
            }[];
            default?: string;
        };
        PathwayHttpNode: {
            id: string;
            /** @constant */
            type: "http";
            title?: string;
            trust?: true | ("visitor" | "event" | "http" | "search" | "document" | "tool" | "memory" | "model")[];
            timeout?: string;
            retry?: {
                max_attempts?: number;
                initial?: string;
                backoff?: number;
                max?: string;
            };
            compensate?: string;
            with: {
                /** @enum {unknown} */
                method?: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE";
                url: string;
                query?: Record<string, unknown>;
                headers?: {
                    [key: string]: string | {
                        secret: string;
                        prefix?: string;
                    };
                };
                json?: unknown;
                body?: string;
            };
            idempotent?: boolean;
        };
        PathwayNeuronNode: {
            id: string;
            /** @constant */
            type: "neuron";
            title?: string;
            trust?: true | ("visitor" | "event" | "http" | "search" | "document" | "tool" | "memory" | "model")[];
            timeout?: string;
            retry?: {
                max_attempts?: number;
                initial?: string;
                backoff?: number;
                max?: string;
            };
            compensate?: string;
            ref?: string;
            with: {
                model?: string;
                instructions?: string;
                message: string;
                variables?: Record<string, unknown>;
                schema?: Record<string, unknown>;
                max_output_tokens?: number;
                temperature?: number;
            };
        };
        PathwaySearchNode: {
            id: string;
            /** @constant */
            type: "search";
            title?: string;
            trust?: true | ("visitor" | "event" | "http" | "search" | "document" | "tool" | "memory" | "model")[];
            timeout?: string;
            retry?: {
                max_attempts?: number;
                initial?: string;
                backoff?: number;
                max?: string;
            };
            with: {
                query: string;
                /** @enum {unknown} */
                mode?: "hybrid" | "keyword" | "semantic";
                types?: string[];
                versions?: number | string;
                path_prefix?: string;
                min_score?: number | string;
                metadata?: Record<string, unknown>;
                limit?: number | string;
                offset?: number;
            };
        };
        PathwayToolNode: {
            id: string;
            /** @constant */
            type: "tool";
            title?: string;
            trust?: true | ("visitor" | "event" | "http" | "search" | "document" | "tool" | "memory" | "model")[];
            timeout?: string;
            retry?: {
                max_attempts?: number;
                initial?: string;
                backoff?: number;
                max?: string;
            };
            compensate?: string;
            with: {
                reflex: string;
                name: string;
                args?: Record<string, unknown> | string;
            };
        };
        PathwayTranscribeNode: {
            id: string;
            /** @constant */
            type: "transcribe";
            title?: string;
            trust?: true | ("visitor" | "event" | "http" | "search" | "document" | "tool" | "memory" | "model")[];
            timeout?: string;
            retry?: {
                max_attempts?: number;
                initial?: string;
                backoff?: number;
                max?: string;
            };
            with: {
                asset?: string;
                audio_base64?: string;
                mime_type?: string;
                language?: string;
            };
        };
        PathwayStakeholdersNode: {
            id: string;
            /** @constant */
            type: "stakeholders";
            title?: string;
            trust?: true | ("visitor" | "event" | "http" | "search" | "document" | "tool" | "memory" | "model")[];
            timeout?: string;
            retry?: {
                max_attempts?: number;
                initial?: string;
                backoff?: number;
                max?: string;
            };
            with: {
                /** @enum {unknown} */
                action: "propose" | "apply";
                map: string;
                found?: unknown;
                delta?: unknown;
                expected_version?: unknown;
                note?: string;
            };
        };
        PathwayMapNode: {
            id: string;
            /** @constant */
            type: "map";
            title?: string;
            trust?: true | ("visitor" | "event" | "http" | "search" | "document" | "tool" | "memory" | "model")[];
            timeout?: string;
            items: string | unknown[];
            concurrency?: number;
            body: components["schemas"]["PathwayBody"];
        };
        PathwayLoopNode: {
            id: string;
            /** @constant */
            type: "loop";
            title?: string;
            trust?: true | ("visitor" | "event" | "http" | "search" | "document" | "tool" | "memory" | "model")[];
            timeout?: string;
            until: string;
            max: number;
            body: components["schemas"]["PathwayBody"];
        };
        PathwayPathwayNode: {
            id: string;
            /** @constant */
            type: "pathway";
            title?: string;
            trust?: true | ("visitor" | "event" | "http" | "search" | "document" | "tool" | "memory" | "model")[];
            timeout?: string;
            compensate?: string;
            ref: string;
            with?: unknown;
        };
        PathwayHumanNode: {
            id: string;
            /** @constant */
            type: "human";
            title?: string;
            trust?: true | ("visitor" | "event" | "http" | "search" | "document" | "tool" | "memory" | "model")[];
            /** @enum {unknown} */
            kind: "approval" | "form" | "questions";
            description?: string;
            context?: unknown;
            form?: Record<string, unknown>;
            questions?: {
                id: string;
                text: string;
                options?: string[];
            }[];
            assignees?: string[];
            due?: string;
            remind?: string[];
            escalate?: {
                after: string;
                to: string[];
            }[];
            quorum?: number | string;
            exclude_requester?: boolean;
            calendar?: string;
        };
        PathwayWaitNode: {
            id: string;
            /** @constant */
            type: "wait";
            title?: string;
            trust?: true | ("visitor" | "event" | "http" | "search" | "document" | "tool" | "memory" | "model")[];
            timeout?: string;
            duration?: string;
            until?: string;
            event?: string;
        };
        PathwayJoinNode: {
            id: string;
            /** @constant */
            type: "join";
            title?: string;
            trust?: true | ("visitor" | "event" | "http" | "search" | "document" | "tool" | "memory" | "model")[];
            /** @enum {unknown} */
            mode: "all" | "any" | "n";
            n?: number;
        };
        PathwayEndNode: {
            id: string;
            /** @constant */
            type: "end";
            title?: string;
            trust?: true | ("visitor" | "event" | "http" | "search" | "document" | "tool" | "memory" | "model")[];
            output?: unknown;
        };
        Health: {
            /**
             * @description `down` means that runs cannot be accepted
             * @enum {string}
             */
            status: "ok" | "degraded" | "down";
            version: string;
            /** @description `search_index` is down while the index is of another embedding model than the configured one: run `ganglion-admin reindex`. Keyword search still works. */
            components: {
                /** @enum {string} */
                postgres?: "ok" | "down" | "off";
                /** @enum {string} */
                redis?: "ok" | "down" | "off";
                /** @enum {string} */
                temporal?: "ok" | "down" | "off";
                /** @enum {string} */
                worker?: "ok" | "down" | "off";
                /** @enum {string} */
                elasticsearch?: "ok" | "down" | "off";
                /** @enum {string} */
                search_index?: "ok" | "down" | "off";
                /** @enum {string} */
                speech?: "ok" | "down" | "off";
                /** @enum {string} */
                models?: "ok" | "down" | "off";
            };
            /** @description Number of open runs of the workspace that make no progress. Present with an API key, when the number is known. */
            stuck_runs?: number;
            /** @description Number of resources of the workspace that search cannot find, because indexing them fails. Indexing is retried. Present with an API key, when the number is known. */
            index_failures?: number;
            workspace?: {
                /** Format: uuid */
                id: string;
                slug: string;
            };
            brain?: {
                /** Format: uuid */
                id: string;
            };
        };
        Error: {
            /** @description Human-readable description of the error */
            message: string;
            /**
             * @description Machine-readable error code
             * @example VALIDATION_ERROR
             */
            code: string;
            details?: {
                /** @description JSON pointer to the value */
                pointer: string;
                message: string;
            }[];
            /** @description Seconds to wait before a retry */
            retryAfter?: number;
        };
        Liveness: {
            /** @enum {string} */
            status: "ok";
        };
        Settings: {
            models: components["schemas"]["Model"][];
            embedding: {
                model: string;
                dimensions: number;
                usd_per_mtok: number;
            } | null;
            transcription: {
                model: string;
                usd_per_minute: number;
            } | null;
            limits: {
                /** @description Maximum size of a JSON body, beside the document, text or audio in it */
                body_bytes: number;
                /** @description Maximum size of an ingested document */
                document_bytes: number;
                /** @description Maximum size of the text of an artifact */
                artifact_bytes: number;
                /** @description Maximum size of audio to transcribe */
                audio_bytes: number;
                audio_seconds: number;
                page_size: number;
                stream_length: number;
                stream_ttl_seconds: number;
                idempotency_hours: number;
            };
            estimates: components["schemas"]["Estimates"];
        };
        Model: {
            id: string;
            /** @enum {string} */
            provider: "openai" | "anthropic" | "google" | "openai-compatible";
            context_window: number | null;
            max_output_tokens: number | null;
            /** @description USD per million tokens; null if unknown */
            usd_per_mtok: {
                input: number;
                output: number;
                cached_input?: number;
            } | null;
            capabilities: string[];
        };
        /** @description Estimated usage of a call. Runs: the mean of the last 100 completed runs of the workspace in 30 days. All else: the configured prices. */
        Estimates: {
            /** @description Answer of a neuron: an invocation or a turn of a chat. Null if there was none. */
            neuron_run: {
                /** @description Number of runs of which this is the mean */
                runs: number;
                input_tokens: number;
                output_tokens: number;
                usd: number;
            } | null;
            /** @description Run of a pathway, with its child runs. Null if there was none. */
            pathway_run: {
                /** @description Number of runs of which this is the mean */
                runs: number;
                input_tokens: number;
                output_tokens: number;
                usd: number;
            } | null;
            /** @description Embedding of 1,000 words of English text */
            ingest_1000_words: {
                input_tokens: number;
                usd: number;
            };
            /** @description Embedding of a query of 10 words */
            search_query: {
                input_tokens: number;
                usd: number;
            };
            /** @description A minute of audio; null without a speech service */
            transcribe_minute: {
                usd: number;
            } | null;
        };
        OpenApiDocument: {
            [key: string]: unknown;
        };
        ShareTokenPage: {
            data: components["schemas"]["ShareToken"][];
            pagination: components["schemas"]["Pagination"];
        };
        ShareToken: {
            /** Format: uuid */
            id: string;
            name: string;
            target: {
                /** @enum {string} */
                type: "receptor" | "trace";
                /** Format: uuid */
                id: string;
            };
            rights: ("read" | "write")[];
            max_uses: number | null;
            uses: number;
            /** @description The beginning of the text, by which people recognize it */
            prefix: string;
            /** @description The person who made it; `operator` for the command line */
            created_by: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            revoked_at: string | null;
            /**
             * Format: date-time
             * @description To the minute
             */
            last_used_at: string | null;
            /** Format: date-time */
            expires_at: string | null;
        };
        Pagination: {
            limit: number;
            offset: number;
            /** @description All entries, also past the page. At most 1,000 past it are counted, so more may follow than it says */
            total: number;
            has_more: boolean;
        };
        CreatedShareToken: {
            /** Format: uuid */
            id: string;
            name: string;
            share_token: string;
            /** Format: date-time */
            expires_at: string;
        };
        MemberPage: {
            data: components["schemas"]["Member"][];
            pagination: components["schemas"]["Pagination"];
        };
        Member: {
            actor: string;
            /** @enum {string} */
            role: "owner" | "admin" | "builder" | "operator" | "reviewer" | "viewer";
            groups: string[];
        };
        Departure: {
            actor: string;
            /** @description Credentials of the person, and the links and tokens that they made */
            revoked: {
                /** Format: uuid */
                id: string;
                /** @enum {string} */
                kind: "api_key" | "session" | "publishable_key" | "share_token" | "sign_in_link" | "hook_token";
                name: string;
            }[];
            /** @description Triggers that the person saved last */
            switched_off: components["schemas"]["ResourceRef"][];
            open: {
                /** @description Tasks that too few people may answer now */
                tasks: components["schemas"]["TaskRef"][];
                /** @description Tasks that the person has claimed, which the removal releases */
                claims: components["schemas"]["TaskRef"][];
                /** @description Tasks that the person has delegated or was delegated */
                delegations: components["schemas"]["TaskRef"][];
                /** @description Absences of the person, or with the person as substitute */
                absences: components["schemas"]["Absence"][];
                /** @description Receptors that the person saved last. They still work */
                receptors: components["schemas"]["ResourceRef"][];
            };
        };
        ResourceRef: {
            /** Format: uuid */
            id: string;
            slug: string;
            title: string;
        };
        TaskRef: {
            /** Format: uuid */
            id: string;
            job_id: string;
            title: string;
            assignees: string[];
        };
        Absence: {
            actor: string;
            substitute: string;
            /** Format: date-time */
            starts_at: string;
            /** Format: date-time */
            ends_at: string | null;
            updated_by: string;
            /** Format: date-time */
            updated_at: string;
        };
        Handover: {
            from: string;
            to: string;
            dry_run: boolean;
            tasks: components["schemas"]["HandedOver"][];
            triggers: components["schemas"]["HandedOver"][];
        };
        HandedOver: {
            /** Format: uuid */
            id: string;
            title: string;
            /** @enum {string} */
            outcome: "handed_over" | "refused";
            /** @description Why it was refused */
            message?: string;
        };
        BrainPage: {
            data: components["schemas"]["Brain"][];
            pagination: components["schemas"]["Pagination"];
        };
        Brain: {
            /** Format: uuid */
            id: string;
            name: string;
            is_default: boolean;
            /** Format: uuid */
            default_map_id: string | null;
            /** Format: date-time */
            created_at: string;
        };
        RunAccepted: {
            job_id: string;
            /** Format: uuid */
            trace_id: string;
            /** @enum {string} */
            status: "pending";
        };
        SharedTrace: {
            trace: {
                /** Format: uuid */
                id: string;
                title: string;
                turns: number;
                /** Format: date-time */
                created_at: string;
                /** Format: date-time */
                updated_at: string;
            };
            messages: {
                turn: number;
                /** @enum {string} */
                role: "user" | "assistant";
                job_id: string;
                /** Format: date-time */
                at: string;
                text: string;
            }[];
            /** @description What the runs of the thread ask you, oldest first: the latest 100 tasks */
            tasks: components["schemas"]["SharedTask"][];
            /** @description The runs that have not ended, oldest first, at most 100. One with the status `waiting` and without an open task waits for the team, a time or an event */
            open_runs: {
                job_id: string;
                /** @enum {string} */
                status: "pending" | "running" | "waiting" | "paused" | "completed" | "failed";
            }[];
            pagination: components["schemas"]["Pagination"];
        };
        SharedTask: {
            interventionId: string;
            /** @enum {string} */
            kind: "approval" | "form" | "questions";
            title: string;
            description?: string;
            actions: ("approve" | "reject" | "submit_input" | "answer_questions" | "decline_questions")[];
            form?: Record<string, unknown>;
            questions?: {
                id: string;
                text: string;
                options?: string[];
            }[];
            context?: unknown;
            /** Format: date-time */
            due_at?: string;
            /** Format: date-time */
            opened_at: string;
            /** @description The job at which the task is answered */
            job_id: string;
            /**
             * @description `answered`: by you. `closed`: it takes no answer any longer
             * @enum {string}
             */
            status: "open" | "answered" | "closed";
            /** @description Your answer */
            answer?: {
                /** @enum {string} */
                action: "approve" | "reject" | "submit_input" | "answer_questions" | "decline_questions";
                comment?: string;
                data?: unknown;
                answers?: {
                    [key: string]: string;
                };
                /** Format: date-time */
                at: string;
            };
        };
        PublicEvent: {
            /** @enum {string} */
            type: "token";
            token: string;
            /** @description Tells texts apart that are written at the same time */
            key?: string;
        } | {
            /** @enum {string} */
            type: "attempt_reset";
            /** @description Tells texts apart that are written at the same time */
            key?: string;
            attempt: number;
        } | {
            /** @enum {string} */
            type: "status";
            /** @enum {string} */
            status: "pending" | "running" | "waiting" | "paused" | "completed" | "failed";
        } | {
            /** @enum {string} */
            type: "task";
            /** @enum {string} */
            change: "opened" | "closed";
            interventionId: string;
            /** @description Absent if you were added later: read the thread */
            task?: {
                interventionId: string;
                /** @enum {string} */
                kind: "approval" | "form" | "questions";
                title: string;
                description?: string;
                actions: ("approve" | "reject" | "submit_input" | "answer_questions" | "decline_questions")[];
                form?: Record<string, unknown>;
                questions?: {
                    id: string;
                    text: string;
                    options?: string[];
                }[];
                context?: unknown;
                /** Format: date-time */
                due_at?: string;
                /** Format: date-time */
                opened_at: string;
            };
            /** Format: date-time */
            at: string;
        } | {
            /** @enum {string} */
            type: "gap";
            message: string;
        } | {
            /** @enum {string} */
            type: "complete";
            result?: unknown;
        } | {
            /** @enum {string} */
            type: "error";
            /** @enum {string} */
            code: "RUN_FAILED";
            message: string;
        };
        SharedReply: {
            job_id: string;
            interventionId: string;
            /** @enum {string} */
            action: "approve" | "reject" | "submit_input" | "answer_questions" | "decline_questions";
            /** Format: date-time */
            at: string;
            /** @description False while the run waits for the answers of others too */
            decided: boolean;
        };
        NeuronPage: {
            data: components["schemas"]["Neuron"][];
            pagination: components["schemas"]["Pagination"];
        };
        Neuron: {
            /** Format: uuid */
            id: string;
            slug: string;
            /** @enum {string} */
            type: "neurons";
            title: string;
            path: string;
            /** @enum {string} */
            scope: "core" | "workspace" | "brain";
            /** Format: uuid */
            brain_id: string | null;
            is_active: boolean;
            version: number;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /** Format: date-time */
            deleted_at: string | null;
            description?: string | null;
            /**
             * @default completion
             * @enum {string}
             */
            neuron_type?: "completion" | "agent" | "extraction" | "router";
            model?: string;
            /** @default  */
            instructions?: string;
            variables?: {
                [key: string]: unknown;
            };
            output_schema?: {
                [key: string]: unknown;
            };
            routes?: {
                name: string;
                /** @default  */
                description?: string;
            }[];
            tools?: {
                reflex: string;
                names?: string[];
                with?: {
                    [key: string]: unknown;
                };
                approval?: ("never" | "always") | {
                    when?: string;
                    assignees?: string[];
                    title?: string;
                };
            }[];
            skills?: string[];
            allowed_hosts?: string[];
            memory?: {
                /** @default false */
                recollect?: boolean;
                /** @default 50 */
                messages?: number;
            };
            temperature?: number;
            max_output_tokens?: number;
            /** @default 20 */
            max_steps?: number;
            budget_usd?: number;
        };
        DeletedInUse: {
            used_by: components["schemas"]["ReferringResource"][];
            total: number;
        };
        ReferringResource: {
            /** Format: uuid */
            id: string;
            type: string;
            slug: string;
            title: string;
        };
        VersionPage: {
            data: components["schemas"]["Version"][];
            pagination: components["schemas"]["Pagination"];
        };
        Version: {
            version: number;
            author: string;
            note: string | null;
            /** @description The changes of this version */
            delta: {
                changed: string[];
                ops?: ({
                    op: string;
                    path: string;
                } & {
                    [key: string]: unknown;
                })[];
                delta?: unknown;
            } | null;
            /** Format: date-time */
            created_at: string;
        };
        ReferringResourcePage: {
            data: components["schemas"]["ReferringResource"][];
            pagination: components["schemas"]["Pagination"];
        };
        Diff: {
            from: number;
            to: number;
            changed: string[];
            ops: ({
                op: string;
                path: string;
            } & {
                [key: string]: unknown;
            })[];
        };
        Answer: {
            output: string;
            data?: unknown;
            /** @enum {string} */
            finish_reason: "stop" | "length" | "max_steps";
            /** Format: uuid */
            trace_id: string;
            usage: {
                input_tokens: number;
                output_tokens: number;
                usd: number;
            };
            job_id: string;
        };
        /** @description A run without an answer yet */
        OpenRun: {
            job_id: string;
            /** Format: uuid */
            trace_id: string;
            /** @enum {string} */
            status: "pending" | "running" | "waiting" | "paused" | "completed" | "failed";
            /** @description The open interventions of the job and its child runs, oldest first */
            waitingFor?: components["schemas"]["WaitingFor"][];
        };
        WaitingFor: {
            interventionId: string;
            /** @enum {string} */
            kind: "approval" | "form" | "questions";
            title: string;
            description?: string;
            actions: ("approve" | "reject" | "submit_input" | "answer_questions" | "decline_questions")[];
            form?: Record<string, unknown>;
            questions?: {
                id: string;
                text: string;
                options?: string[];
            }[];
            context?: unknown;
            /** Format: date-time */
            due_at?: string;
            /** Format: date-time */
            opened_at: string;
            job_id?: string;
            node_id: string;
            assignees: string[];
            quorum: number;
            /** @description Number of approvals given so far; the node continues when it reaches the quorum */
            approvals: number;
            /** @description Answers that no worker has taken yet, and that may still count */
            pending_answers?: {
                action: string;
                by: string;
                /** Format: date-time */
                at: string;
            }[];
        };
        ReceptorPage: {
            data: components["schemas"]["Receptor"][];
            pagination: components["schemas"]["Pagination"];
        };
        Receptor: {
            /** Format: uuid */
            id: string;
            slug: string;
            /** @enum {string} */
            type: "receptors";
            title: string;
            path: string;
            /** @enum {string} */
            scope: "core" | "workspace" | "brain";
            /** Format: uuid */
            brain_id: string | null;
            is_active: boolean;
            version: number;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /** Format: date-time */
            deleted_at: string | null;
            description?: string | null;
            target?: {
                /** @enum {string} */
                type: "neuron" | "pathway";
                ref: string;
            };
            greeting?: string | null;
        };
        WrappedReceptor: {
            receptor: components["schemas"]["Receptor"];
        };
        SkillPage: {
            data: components["schemas"]["Skill"][];
            pagination: components["schemas"]["Pagination"];
        };
        Skill: {
            /** Format: uuid */
            id: string;
            slug: string;
            /** @enum {string} */
            type: "skills";
            title: string;
            path: string;
            /** @enum {string} */
            scope: "core" | "workspace" | "brain";
            /** Format: uuid */
            brain_id: string | null;
            is_active: boolean;
            version: number;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /** Format: date-time */
            deleted_at: string | null;
            description?: string | null;
            /** @default  */
            instructions?: string;
            files?: {
                name: string;
                text: string;
            }[];
        };
        TracePage: {
            data: components["schemas"]["Trace"][];
            pagination: components["schemas"]["Pagination"];
        };
        Trace: {
            /** Format: uuid */
            id: string;
            /** @enum {string} */
            trace_type: "user" | "system";
            title: string;
            actor: string;
            /** Format: uuid */
            brain_id: string | null;
            target: {
                /** @enum {string} */
                type: "neuron" | "receptor" | "pathway";
                id: string;
            } | null;
            turns: number;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        Thread: {
            trace: components["schemas"]["Trace"];
            messages: components["schemas"]["Message"][];
            pagination: components["schemas"]["Pagination"];
        };
        Message: {
            turn: number;
            /** @enum {string} */
            role: "user" | "assistant" | "tool";
            job_id: string;
            /** Format: date-time */
            at: string;
            text?: string;
            calls?: {
                id: string;
                name: string;
                args?: unknown;
            }[];
            data?: unknown;
            call_id?: string;
            name?: string;
            output?: unknown;
            is_error?: boolean;
        };
        JobAccepted: {
            job_id: string;
            /** @enum {string} */
            status: "pending";
        };
        Usage: {
            /** Format: date-time */
            from: string;
            /** Format: date-time */
            to: string;
            /** @enum {string} */
            group_by: "day" | "kind" | "model" | "neuron" | "pathway" | "job";
            data: {
                /** @description The day (UTC), the name or the id of the group; null if there is none */
                group: string | null;
                /** @description The slug of the neuron or pathway of the group */
                slug: string | null;
                calls: number;
                input_tokens: number;
                output_tokens: number;
                cached_input_tokens: number;
                audio_seconds: number;
                usd: number;
            }[];
            total: {
                calls: number;
                input_tokens: number;
                output_tokens: number;
                cached_input_tokens: number;
                audio_seconds: number;
                usd: number;
            };
            plan: components["schemas"]["Plan"];
            pagination: components["schemas"]["Pagination"];
        };
        /** @description The plan of the workspace, and what all of the workspace uses of it at present */
        Plan: {
            name: string;
            /**
             * Format: date-time
             * @description After it, only reads are possible. Null without a trial.
             */
            trial_ends_at: string | null;
            limits: {
                /** @description Of one credential */
                requests_per_minute: number;
                /** @description Of one credential */
                open_streams: number;
                /** @description Of the workspace. Null without a limit. */
                runs_in_flight: number | null;
                runs_in_flight_per_credential: number | null;
                /** @description Bulk jobs of the workspace that have not ended */
                bulk_jobs: number;
                /** @description Of a calendar month (UTC). Null without a limit. */
                included_usd: number | null;
                /** @description What a run that can call a model or transcribe reserves of the included USD until it ends */
                run_reserve_usd: number;
            };
            used: {
                /** @description In the current month */
                spent_usd: number;
                /** @description What runs that have not ended have reserved beyond what they have used */
                reserved_usd: number;
                /** @description Runs that requests have started and that are pending or running */
                runs_in_flight: number;
                bulk_jobs: number;
            };
        };
        ActivityEntryPage: {
            data: components["schemas"]["ActivityEntry"][];
            pagination: components["schemas"]["Pagination"];
        };
        /** @description A recorded change */
        ActivityEntry: {
            id: string;
            /** Format: date-time */
            at: string;
            actor: string;
            /** @description The person behind the actor */
            person: string;
            /** @description Id of the API key; `job:<id>` for a run, `cli` for the command line */
            credential_id: string | null;
            action: string;
            target: {
                type: string;
                id: string;
            };
            /** Format: uuid */
            brain_id: string | null;
            /** @description The `X-Request-Id` of the request, or the id of the job that made the change */
            request_id: string | null;
            /** @description SHA-256 of the canonical JSON of the target before the change */
            before_hash: string | null;
            /** @description The same after it; null where nothing is left, and for commands to a run */
            after_hash: string | null;
            details: {
                [key: string]: unknown;
            };
        };
        RecollectionPage: {
            data: components["schemas"]["Recollection"][];
            pagination: components["schemas"]["Pagination"];
        };
        Recollection: {
            /** Format: uuid */
            id: string;
            text: string;
            /** Format: uuid */
            neuron_id: string;
            source: {
                /** Format: uuid */
                trace_id: string;
                job_id: string;
            } | null;
            /** Format: date-time */
            created_at: string;
        };
        RecollectionMatches: {
            recollections: {
                /** Format: uuid */
                id: string;
                text: string;
                score: number;
            }[];
            /**
             * @description Present if only the beginning of the query was used
             * @enum {boolean}
             */
            truncated?: true;
        };
        PathwayPage: {
            data: components["schemas"]["Pathway"][];
            pagination: components["schemas"]["Pagination"];
        };
        Pathway: {
            /** Format: uuid */
            id: string;
            slug: string;
            /** @enum {string} */
            type: "pathways";
            title: string;
            path: string;
            /** @enum {string} */
            scope: "core" | "workspace" | "brain";
            /** Format: uuid */
            brain_id: string | null;
            is_active: boolean;
            version: number;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /** Format: date-time */
            deleted_at: string | null;
            description: string | null;
            /** @description A graph in the format pathway/1; problems are listed by JSON pointer */
            definition?: components["schemas"]["PathwayDefinition"];
            /** @description After a save. What may fail in a run, and untrusted content that reaches an effect, by JSON pointer */
            warnings?: {
                /** @description JSON pointer to the value */
                pointer: string;
                message: string;
            }[];
        };
        PathwayValidation: {
            valid: boolean;
            /** @description What a save would refuse, by JSON pointer */
            problems: {
                /** @description JSON pointer to the value */
                pointer: string;
                message: string;
            }[];
            /** @description What may fail in a run, and untrusted content that reaches an effect, by JSON pointer */
            warnings: {
                /** @description JSON pointer to the value */
                pointer: string;
                message: string;
            }[];
        };
        DryRun: {
            /** @description The title that the run would have */
            title: string;
            steps: {
                key: string;
                node_id: string;
                type: string;
                status: string;
                port?: string;
                with?: unknown;
                output?: unknown;
                note?: string;
            }[];
            /** @enum {string} */
            status: "completed" | "failed" | "waiting";
            result?: unknown;
            error?: {
                code: string;
                message: string;
                /** @description Key of the inner node that failed first, if the error came from one */
                node_key?: string;
            };
            needs: {
                key: string;
                node_id: string;
                type: string;
            }[];
            /** @description What may fail in a run, and untrusted content that reaches an effect, by JSON pointer */
            warnings?: {
                /** @description JSON pointer to the value */
                pointer: string;
                message: string;
            }[];
        };
        BulkPreview: {
            /** @enum {string} */
            operation: "cancel" | "pause" | "resume" | "retry" | "migrate";
            /** @enum {boolean} */
            dry_run: true;
            matched: number;
            /** @description Runs to which the operation applies */
            applies: number;
            /** @description Why it does not apply to the others, the most frequent reason first */
            reasons: {
                message: string;
                count: number;
            }[];
            /**
             * Format: date-time
             * @description Runs that began from this time on are not meant. As a field of the filter it means the same runs again
             */
            created_before: string;
            needs_confirm: boolean;
            /** @description The first runs in the order of the job, the oldest first, at most 20 */
            sample: {
                job_id: string;
                title: string;
                /** @enum {string} */
                kind: "pathway" | "neuron" | "ingest" | "search" | "discover" | "tool" | "transcribe" | "meeting" | "purge" | "bulk";
                /** @enum {string} */
                status: "pending" | "running" | "waiting" | "paused" | "completed" | "failed";
                applies: boolean;
                /** @description Why the operation does not apply */
                message?: string;
                /** @description Present where decisions of the run do not hold after a retry or a migration: people decide again */
                asked_again?: {
                    key: string;
                    node_id: string;
                    node_type: string;
                    /** @description Names of what differs: `input.amount`, `nodes.quote`, or `definition` for the nodes behind the decision */
                    changed: string[];
                }[];
            }[];
        };
        JobPage: {
            jobs: components["schemas"]["JobSummary"][];
            /** @description All entries, also past the page. At most 1,000 past it are counted, so more may follow than it says */
            total: number;
            limit: number;
            offset: number;
        };
        /** @description A job without its result and receipt */
        JobSummary: {
            job_id: string;
            /** @enum {string} */
            status: "pending" | "running" | "waiting" | "paused" | "completed" | "failed";
            /** @description How the job has ended; null while it is open. A cancelled job has the status `failed` */
            outcome: ("completed" | "failed" | "cancelled") | null;
            progress: {
                done: number;
                total: number;
            } | null;
            current_step: string | null;
            failedReason?: string;
            /** @description Present when the status is failed; its message is failedReason */
            error?: {
                code: string;
                message: string;
                /** @description Key of the inner node that failed first, if the error came from one */
                node_key?: string;
            };
            /** @description The person who cancelled the job */
            cancelled_by?: string;
            /** @description true: a node could not be compensated. The receipt has the node */
            compensation_failed?: boolean;
            /** @description The open interventions of the job and its child runs, oldest first */
            waitingFor?: components["schemas"]["WaitingFor"][];
            problem?: components["schemas"]["JobProblem"];
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            processed_at: string | null;
            /** Format: date-time */
            finished_at: string | null;
            /**
             * Format: date-time
             * @description When the content of the job was removed with its thread or document. It then has no title, result, nodes and interventions.
             */
            purged_at: string | null;
            /** @enum {string} */
            kind: "pathway" | "neuron" | "ingest" | "search" | "discover" | "tool" | "transcribe" | "meeting" | "purge" | "bulk";
            title: string;
            pathway_id: string | null;
            /** @description The present title of the pathway */
            pathway_title: string | null;
            pathway_version: number | null;
            asset_id: string | null;
            receptor_id: string | null;
            neuron_id: string | null;
            neuron_version: number | null;
            /** @description The trigger that started the job */
            trigger_id: string | null;
            trace_id: string | null;
            brain_id: string | null;
            root_job_id: string;
            /** @description The job that started this one; null for a root job */
            parent_job_id: string | null;
            requester: string;
            /** @description Everyone behind the run: the person of the requester first, then who caused, continued or changed it. An approval with `exclude_requester` excludes all of them. */
            people: string[];
            /** @description Who has cancelled an open job. It stops as soon as its run responds. */
            cancel_requested_by?: string;
            /** @description Usage of the job, including its child runs */
            usage: {
                input_tokens: number;
                output_tokens: number;
                usd: number;
            };
            temporal_url: string;
        };
        /** @description Why an open run makes no progress; present after several failures */
        JobProblem: {
            cause: string;
            message: string;
            /** Format: date-time */
            since: string;
        };
        JobCounts: {
            total: number;
            by_status: {
                pending: number;
                running: number;
                waiting: number;
                paused: number;
                completed: number;
                failed: number;
            };
            by_outcome: {
                completed: number;
                failed: number;
                cancelled: number;
            };
        };
        DiagnosisCounts: {
            total: number;
            by_cause: {
                done: number;
                component_away: number;
                not_started: number;
                no_worker: number;
                code_mismatch: number;
                workflow_task_failing: number;
                history_full: number;
                child_stuck: number;
                heartbeat_lost: number;
                rate_limited: number;
                workspace_busy: number;
                retrying: number;
                paused: number;
                budget_reached: number;
                waits_for_people: number;
                waits_for_event: number;
                waits_for_time: number;
                waits_for_turn: number;
                running: number;
                unknown: number;
            };
            /** @description Open jobs beyond the 200 oldest, or beyond what was found in time */
            not_examined: number;
        };
        JobDetail: {
            job_id: string;
            /** @enum {string} */
            status: "pending" | "running" | "waiting" | "paused" | "completed" | "failed";
            /** @description How the job has ended; null while it is open. A cancelled job has the status `failed` */
            outcome: ("completed" | "failed" | "cancelled") | null;
            progress: {
                done: number;
                total: number;
            } | null;
            current_step: string | null;
            failedReason?: string;
            /** @description Present when the status is failed; its message is failedReason */
            error?: {
                code: string;
                message: string;
                /** @description Key of the inner node that failed first, if the error came from one */
                node_key?: string;
            };
            /** @description The person who cancelled the job */
            cancelled_by?: string;
            /** @description true: a node could not be compensated. The receipt has the node */
            compensation_failed?: boolean;
            /** @description The open interventions of the job and its child runs, oldest first */
            waitingFor?: components["schemas"]["WaitingFor"][];
            problem?: components["schemas"]["JobProblem"];
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            processed_at: string | null;
            /** Format: date-time */
            finished_at: string | null;
            /**
             * Format: date-time
             * @description When the content of the job was removed with its thread or document. It then has no title, result, nodes and interventions.
             */
            purged_at: string | null;
            /** @enum {string} */
            kind: "pathway" | "neuron" | "ingest" | "search" | "discover" | "tool" | "transcribe" | "meeting" | "purge" | "bulk";
            title: string;
            pathway_id: string | null;
            /** @description The present title of the pathway */
            pathway_title: string | null;
            pathway_version: number | null;
            asset_id: string | null;
            receptor_id: string | null;
            neuron_id: string | null;
            neuron_version: number | null;
            /** @description The trigger that started the job */
            trigger_id: string | null;
            trace_id: string | null;
            brain_id: string | null;
            root_job_id: string;
            /** @description The job that started this one; null for a root job */
            parent_job_id: string | null;
            requester: string;
            /** @description Everyone behind the run: the person of the requester first, then who caused, continued or changed it. An approval with `exclude_requester` excludes all of them. */
            people: string[];
            /** @description Who has cancelled an open job. It stops as soon as its run responds. */
            cancel_requested_by?: string;
            /** @description Usage of the job, including its child runs */
            usage: {
                input_tokens: number;
                output_tokens: number;
                usd: number;
            };
            temporal_url: string;
            result?: unknown;
            receipt?: components["schemas"]["ReceiptLine"][];
            /** @description What the run was given; of pathways, searches and calls of tools */
            input?: unknown;
            nodes: components["schemas"]["Node"][];
            bulk?: components["schemas"]["BulkReport"];
            /** @description The run that this one was forked from */
            forked_from?: {
                /** @description The other run */
                job_id: string;
                /** @enum {string} */
                kind: "fork" | "retry" | "reopen";
                from_node?: string;
                by: string;
                reason?: string;
                changes: {
                    input: boolean;
                    pathway_version: boolean;
                    outputs: string[];
                };
                decisions: {
                    /** @description Decisions that the fork asks for again */
                    asked_again: {
                        key: string;
                        node_id: string;
                        node_type: string;
                        /** @description Names of what differs: `input.amount`, `nodes.quote`, or `definition` for the nodes behind the decision */
                        changed: string[];
                    }[];
                    /** @description Keys of the nodes whose decision holds in the fork */
                    kept: string[];
                    /** @description Effects that `by` repeats after a decision that holds, without another decision */
                    repeated: {
                        key: string;
                        node_id: string;
                        node_type: string;
                        /** @enum {string} */
                        status: "running" | "waiting" | "completed" | "failed" | "skipped" | "cancelled" | "compensated";
                        /** @description Keys of the decisions that hold in the fork and that the effect comes after */
                        decided_at: string[];
                    }[];
                };
                /** Format: date-time */
                created_at: string;
            };
            /** @description The runs that go on from a node of this one, oldest first, at most 100 */
            forks?: components["schemas"]["Fork"][];
            /** @description The moves of the run to other versions of its pathway, oldest first, at most 100 */
            migrations?: components["schemas"]["Migration"][];
        };
        ReceiptLine: {
            node_id: string;
            key: string;
            /** @enum {string} */
            outcome: "stopped" | "finished_first" | "compensated" | "compensation_failed" | "in_doubt";
            message?: string;
            /** @description Present when a single job is read */
            sent?: {
                /** @description SHA-256 of the canonical JSON (RFC 8785) of `{method, url, headers, body}`. `headers` has no secrets; `body` is the SHA-256 of the body */
                sha256: string;
                method: string;
                origin: string;
                /** @description Size of the body */
                bytes: number;
                /** Format: date-time */
                at: string;
            };
        };
        Node: {
            key: string;
            node_id: string;
            node_type: string;
            title?: string;
            /** @enum {string} */
            status: "running" | "waiting" | "completed" | "failed" | "skipped" | "cancelled" | "compensated";
            /** Format: date-time */
            at: string;
            child_job_id?: string;
            /** @description The run that had the node, where a fork has taken it over. Its decisions are there */
            origin_job_id?: string;
            /** Format: date-time */
            started_at?: string;
            /** Format: date-time */
            finished_at?: string;
            /** @description Number of the last attempt, from 1 */
            attempt?: number;
            /** @description Why the last attempt of a running node failed */
            last_error?: {
                code: string;
                message: string;
                /** @description Key of the inner node that failed first, if the error came from one */
                node_key?: string;
            };
            /**
             * Format: date-time
             * @description When the next attempt begins; absent while one runs
             */
            next_attempt_at?: string;
            port?: string;
            /** @description What the node was called with; of a tool its arguments, with what the neuron and people set. Of long ones the beginning, as text */
            input?: unknown;
            /** @description Of a long output of an agent’s tool the beginning, as text */
            output?: unknown;
            /** @description Sources of untrusted content in the output; absent for a trusted output */
            labels?: ("visitor" | "event" | "http" | "search" | "document" | "tool" | "memory" | "model")[];
            /**
             * @description Present when a person gave the output
             * @enum {boolean}
             */
            is_given?: true;
            /** @description The last request that the node sent to another service */
            sent?: {
                /** @description SHA-256 of the canonical JSON (RFC 8785) of `{method, url, headers, body}`. `headers` has no secrets; `body` is the SHA-256 of the body */
                sha256: string;
                method: string;
                origin: string;
                /** @description Size of the body */
                bytes: number;
                /** Format: date-time */
                at: string;
            };
            error?: {
                code: string;
                message: string;
                /** @description Key of the inner node that failed first, if the error came from one */
                node_key?: string;
            };
            /** @description Attempts that failed, up to the hundredth */
            failed_attempts?: {
                attempt: number;
                /** Format: date-time */
                at: string;
                code: string;
                message: string;
            }[];
        };
        /** @description What a job of the kind `bulk` has done so far */
        BulkReport: {
            matched: number;
            done: number;
            /** @description Runs to which the operation does not apply */
            skipped: number;
            /** @description Runs for which it was tried and refused */
            failed: number;
            /** @description Runs to which the operation was not applied, at most 100: first those that refused it */
            problems: {
                job_id: string;
                /** @enum {string} */
                outcome: "skipped" | "failed";
                code?: string;
                message: string;
                /** Format: date-time */
                at: string;
            }[];
        };
        Fork: {
            /** @description The other run */
            job_id: string;
            /** @enum {string} */
            kind: "fork" | "retry" | "reopen";
            from_node?: string;
            by: string;
            reason?: string;
            changes: {
                input: boolean;
                pathway_version: boolean;
                outputs: string[];
            };
            decisions: {
                /** @description Decisions that the fork asks for again */
                asked_again: {
                    key: string;
                    node_id: string;
                    node_type: string;
                    /** @description Names of what differs: `input.amount`, `nodes.quote`, or `definition` for the nodes behind the decision */
                    changed: string[];
                }[];
                /** @description Keys of the nodes whose decision holds in the fork */
                kept: string[];
                /** @description Effects that `by` repeats after a decision that holds, without another decision */
                repeated: {
                    key: string;
                    node_id: string;
                    node_type: string;
                    /** @enum {string} */
                    status: "running" | "waiting" | "completed" | "failed" | "skipped" | "cancelled" | "compensated";
                    /** @description Keys of the decisions that hold in the fork and that the effect comes after */
                    decided_at: string[];
                }[];
            };
            /** Format: date-time */
            created_at: string;
        };
        Migration: {
            id: string;
            from_version: number;
            to_version: number;
            by: string;
            /** Format: date-time */
            at: string;
            undone_by?: string;
            /** Format: date-time */
            undone_at?: string;
        };
        RunDefinition: {
            /** @description The pathway; null where the definition came with the request */
            id: string | null;
            slug: string | null;
            title: string | null;
            version: number | null;
            /** @description A graph in the format pathway/1; problems are listed by JSON pointer */
            definition?: components["schemas"]["PathwayDefinition"];
        };
        Diagnosis: {
            job_id: string;
            /** @enum {string} */
            cause: "done" | "component_away" | "not_started" | "no_worker" | "code_mismatch" | "workflow_task_failing" | "history_full" | "child_stuck" | "heartbeat_lost" | "rate_limited" | "workspace_busy" | "retrying" | "paused" | "budget_reached" | "waits_for_people" | "waits_for_event" | "waits_for_time" | "waits_for_turn" | "running" | "unknown";
            /**
             * Format: date-time
             * @description Absent where no record says it
             */
            since?: string;
            /** @description The cause as a sentence */
            message: string;
            /** @description What a person can do */
            action: string;
            /** @description What shows the cause, such as `node_key`, `attempt`, `last_error` and `next_attempt_at` of a retry, or `intervention_id`, `assignees` and `is_overdue` of a wait for people */
            evidence?: Record<string, unknown>;
            /** @description The run in the Temporal UI */
            link: string;
            /** @description What could not be found in time. The cause does not rest on it */
            missing: ("history" | "workers" | "children")[];
        };
        Job: {
            job_id: string;
            /** @enum {string} */
            status: "pending" | "running" | "waiting" | "paused" | "completed" | "failed";
            /** @description How the job has ended; null while it is open. A cancelled job has the status `failed` */
            outcome: ("completed" | "failed" | "cancelled") | null;
            progress: {
                done: number;
                total: number;
            } | null;
            current_step: string | null;
            failedReason?: string;
            /** @description Present when the status is failed; its message is failedReason */
            error?: {
                code: string;
                message: string;
                /** @description Key of the inner node that failed first, if the error came from one */
                node_key?: string;
            };
            /** @description The person who cancelled the job */
            cancelled_by?: string;
            /** @description true: a node could not be compensated. The receipt has the node */
            compensation_failed?: boolean;
            /** @description The open interventions of the job and its child runs, oldest first */
            waitingFor?: components["schemas"]["WaitingFor"][];
            problem?: components["schemas"]["JobProblem"];
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            processed_at: string | null;
            /** Format: date-time */
            finished_at: string | null;
            /**
             * Format: date-time
             * @description When the content of the job was removed with its thread or document. It then has no title, result, nodes and interventions.
             */
            purged_at: string | null;
            /** @enum {string} */
            kind: "pathway" | "neuron" | "ingest" | "search" | "discover" | "tool" | "transcribe" | "meeting" | "purge" | "bulk";
            title: string;
            pathway_id: string | null;
            /** @description The present title of the pathway */
            pathway_title: string | null;
            pathway_version: number | null;
            asset_id: string | null;
            receptor_id: string | null;
            neuron_id: string | null;
            neuron_version: number | null;
            /** @description The trigger that started the job */
            trigger_id: string | null;
            trace_id: string | null;
            brain_id: string | null;
            root_job_id: string;
            /** @description The job that started this one; null for a root job */
            parent_job_id: string | null;
            requester: string;
            /** @description Everyone behind the run: the person of the requester first, then who caused, continued or changed it. An approval with `exclude_requester` excludes all of them. */
            people: string[];
            /** @description Who has cancelled an open job. It stops as soon as its run responds. */
            cancel_requested_by?: string;
            /** @description Usage of the job, including its child runs */
            usage: {
                input_tokens: number;
                output_tokens: number;
                usd: number;
            };
            temporal_url: string;
            result?: unknown;
            receipt?: components["schemas"]["ReceiptLine"][];
        };
        JobEvent: components["schemas"]["TokenEvent"] | components["schemas"]["AttemptResetEvent"] | components["schemas"]["StatusEvent"] | components["schemas"]["NodeEvent"] | components["schemas"]["InterventionEvent"] | components["schemas"]["NoticeEvent"] | components["schemas"]["ProgressEvent"] | components["schemas"]["SegmentEvent"] | components["schemas"]["MigratedEvent"] | components["schemas"]["EndedEvent"] | components["schemas"]["GapEvent"] | components["schemas"]["CompleteEvent"] | components["schemas"]["ErrorEvent"];
        TokenEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "token";
            job_id?: string;
            token: string;
            node_id?: string;
            key?: string;
        };
        AttemptResetEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "attempt_reset";
            job_id?: string;
            node_id: string;
            key: string;
            attempt: number;
        };
        StatusEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "status";
            /** @enum {string} */
            status: "pending" | "running" | "waiting" | "paused" | "completed" | "failed";
            current_step?: string;
        };
        NodeEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "node";
            job_id?: string;
            node_id: string;
            key: string;
            node_type: string;
            /** @enum {string} */
            status: "running" | "waiting" | "completed" | "failed" | "skipped" | "cancelled" | "compensated";
            /** Format: date-time */
            at: string;
            port?: string;
            error?: {
                code: string;
                message: string;
                /** @description Key of the inner node that failed first, if the error came from one */
                node_key?: string;
            };
        };
        InterventionEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "intervention";
            job_id?: string;
            /** @enum {string} */
            change: "opened" | "answered" | "reminded" | "claimed" | "released" | "reassigned" | "delegated" | "escalated" | "excluded" | "timed_out" | "cancelled";
            interventionId: string;
            key?: string;
            node_id?: string;
            title?: string;
            action?: string;
            by?: string;
            decided?: boolean;
            assignees?: string[];
            /** @description Of an opening that asks a visitor */
            task?: {
                interventionId: string;
                /** @enum {string} */
                kind: "approval" | "form" | "questions";
                title: string;
                description?: string;
                actions: ("approve" | "reject" | "submit_input" | "answer_questions" | "decline_questions")[];
                form?: Record<string, unknown>;
                questions?: {
                    id: string;
                    text: string;
                    options?: string[];
                }[];
                context?: unknown;
                /** Format: date-time */
                due_at?: string;
                /** Format: date-time */
                opened_at: string;
            };
            /** Format: date-time */
            at: string;
        };
        NoticeEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "notice";
            job_id?: string;
            node_id: string;
            key: string;
            code: string;
            message: string;
        };
        ProgressEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "progress";
            done: number;
            total: number;
        };
        SegmentEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "segment";
            seq: number;
            text: string;
            speaker?: string;
            start?: number;
            end?: number;
            error?: {
                code: string;
                message: string;
                /** @description Key of the inner node that failed first, if the error came from one */
                node_key?: string;
            };
        };
        MigratedEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "migrated";
            from_version: number | null;
            to_version: number | null;
            by: string;
            /** Format: date-time */
            at: string;
            /** @enum {boolean} */
            undone?: true;
        };
        EndedEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "ended";
            /** Format: uuid */
            artifact_id?: string;
        };
        GapEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "gap";
            message: string;
        };
        CompleteEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "complete";
            result: unknown;
        };
        ErrorEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "error";
            message: string;
            code: string;
        };
        CancelledJob: {
            job_id: string;
            /** @enum {string} */
            status: "pending" | "running" | "waiting" | "paused" | "completed" | "failed";
            receipt: components["schemas"]["ReceiptLine"][];
        };
        JobState: {
            job_id: string;
            /** @enum {string} */
            status: "pending" | "running" | "waiting" | "paused" | "completed" | "failed";
        };
        ResumedJob: {
            job_id: string;
            /** @enum {string} */
            status: "pending" | "running" | "waiting" | "paused" | "completed" | "failed";
            /** @description The open interventions of the job and its child runs, oldest first */
            waitingFor?: components["schemas"]["WaitingFor"][];
            /** @description true: the job continues. Absent with `event` */
            resumed?: boolean;
            /** @description Keys of the `wait` nodes that the event ended. Present with `event` */
            delivered_to?: string[];
            /** @description true: no node waits for the event yet; the next one that does gets it. Present with `event` */
            kept?: boolean;
        };
        /** @description Lists have at most 1,000 entries */
        ForkPlan: {
            job_id: string;
            /** @enum {boolean} */
            dry_run: true;
            counts: {
                /** @description Nodes that are taken over */
                reused: number;
                /** @description Nodes in which people decide again */
                asked_again: number;
                /** @description Nodes that run */
                runs: number;
                /** @description Effects that happen a second time */
                repeated_effects: number;
            };
            reused: {
                key: string;
                node_id: string;
                node_type: string;
                is_replaced: boolean;
            }[];
            /** @description Decisions that do not hold in the fork, because what people decided about is different in it */
            asked_again: {
                key: string;
                node_id: string;
                node_type: string;
                /** @description Names of what differs: `input.amount`, `nodes.quote`, or `definition` for the nodes behind the decision */
                changed: string[];
            }[];
            /** @description Nodes that run: first those that start at once, then those that may follow */
            runs: {
                key: string;
                node_id: string;
                node_type: string;
                /** @enum {string} */
                reason: "fork_point" | "asked_again" | "not_completed" | "compensated" | "after";
            }[];
            /** @description What the run had begun and the fork does again, with keys of its own */
            repeated_effects: {
                key: string;
                node_id: string;
                node_type: string;
                /** @enum {string} */
                status: "running" | "waiting" | "completed" | "failed" | "skipped" | "cancelled" | "compensated";
                /** @description Keys of the decisions that hold in the fork and that the effect comes after */
                decided_at: string[];
            }[];
        };
        ForkStarted: {
            job_id: string;
            /** @enum {string} */
            status: "pending";
            forked_from: {
                job_id: string;
                from_node?: string;
            };
        };
        AnswerReply: {
            job_id: string;
            interventionId: string;
            /** @enum {string} */
            action: "approve" | "reject" | "submit_input" | "answer_questions" | "decline_questions";
            by: string;
            /** Format: date-time */
            at: string;
            decided: boolean;
            approvals: number;
            quorum: number;
            /** @description true: no worker has taken the answer yet, so it may still count. Send the same answer again to read its outcome. */
            pending?: boolean;
        };
        MigrationReport: {
            pathway_id: string;
            from_version: number;
            to_version: number;
            dry_run: boolean;
            /** @description Open runs of the version that match the filter, from `after` on */
            matched: number;
            counts: {
                /** @description Runs that a dry run would move */
                can_move: number;
                moved: number;
                cannot_move: number;
                /** @description Runs that did not answer in time. Repeat the call: none moves twice */
                unanswered: number;
            };
            /** @description The runs that this call has looked at, the oldest first */
            runs: {
                job_id: string;
                title: string;
                /** @enum {string} */
                status: "pending" | "running" | "waiting" | "paused" | "completed" | "failed";
                /** @enum {string} */
                outcome: "can_move" | "moved" | "cannot_move" | "unanswered";
                /** @description Grows with every step of the run */
                revision?: number;
                /** @description Why it cannot move, at most 50 */
                problems?: {
                    /** @description Into the new version of the pathway; empty for the run itself */
                    pointer: string;
                    message: string;
                    node_key?: string;
                }[];
                /** @description Decisions that do not hold for the version, at most 1,000: people decide again */
                asked_again?: {
                    key: string;
                    node_id: string;
                    node_type: string;
                    /** @description Names of what differs: `input.amount`, `nodes.quote`, or `definition` for the nodes behind the decision */
                    changed: string[];
                }[];
            }[];
            /** @description Present while runs are left: `after` of the next call */
            next?: string;
            needs_confirm: boolean;
        };
        MigrationUndone: {
            job_id: string;
            from_version: number | null;
            /** @description The version that the run follows again */
            to_version: number | null;
            /** Format: date-time */
            at: string;
        };
        InterventionPage: {
            data: components["schemas"]["Intervention"][];
            pagination: components["schemas"]["Pagination"];
        };
        Intervention: {
            interventionId: string;
            /** @enum {string} */
            kind: "approval" | "form" | "questions";
            title: string;
            description?: string;
            actions: ("approve" | "reject" | "submit_input" | "answer_questions" | "decline_questions")[];
            form?: Record<string, unknown>;
            questions?: {
                id: string;
                text: string;
                options?: string[];
            }[];
            context?: unknown;
            /** Format: date-time */
            due_at?: string;
            /** Format: date-time */
            opened_at: string;
            job_id: string;
            node_id: string;
            assignees: string[];
            quorum: number;
            /** @description Number of approvals given so far; the node continues when it reaches the quorum */
            approvals: number;
            /** @description Answers that no worker has taken yet, and that may still count */
            pending_answers?: {
                action: string;
                by: string;
                /** Format: date-time */
                at: string;
            }[];
            root_job_id: string;
            /** @description The run that was started, with its title and who started it */
            root_job?: {
                title: string;
                requester: string;
                /** @enum {string} */
                kind: "pathway" | "neuron" | "ingest" | "search" | "discover" | "tool" | "transcribe" | "meeting" | "purge" | "bulk";
                pathway_id?: string;
                pathway_title?: string;
            };
            /** @enum {string} */
            status: "open" | "decided" | "timed_out" | "cancelled";
            decision?: {
                action: string;
                by: string;
                /** Format: date-time */
                at: string;
                /** @description The absent assignee for whom a substitute has answered */
                on_behalf_of?: string;
                comment?: string;
                data?: unknown;
                answers?: {
                    [key: string]: string;
                };
            };
            votes: {
                action: string;
                by: string;
                /** Format: date-time */
                at: string;
                /** @description The absent assignee for whom a substitute has answered */
                on_behalf_of?: string;
                comment?: string;
            }[];
            /** @description Why the caller may not answer an open intervention. Absent where it may */
            refusal?: string;
            /**
             * Format: date-time
             * @description When it was decided, timed out or was cancelled
             */
            closed_at?: string;
            /** @description People who may answer now; only present when a single open intervention is read */
            eligible?: number;
            /** @description Who has claimed an open intervention: no other person may answer it until it is released */
            claimed_by?: string;
            /** Format: date-time */
            claimed_at?: string;
            /** @description Grows with every change of who may answer; 0 before the first */
            revision: number;
            /** @description Who has handed over the right to answer, and to whom */
            delegations?: {
                from: string;
                to: string;
                /** Format: date-time */
                at: string;
            }[];
            /** @description Changes and comments, oldest first, the latest 200; only present when a single one is read */
            history?: components["schemas"]["InterventionHistoryEntry"][];
            /** @description SHA-256 of the canonical JSON that was shown to the assignees */
            shown_hash: string;
        };
        InterventionHistoryEntry: {
            /** @enum {string} */
            change: "claimed" | "released" | "reassigned" | "delegated" | "escalated" | "excluded" | "commented" | "reminded";
            /** @description Absent for what the run did by itself */
            by?: string;
            /** @description Who could answer after it */
            assignees?: string[];
            comment?: string;
            /** Format: date-time */
            at: string;
        };
        /** @description Each is counted up to 1000 */
        InterventionCounts: {
            open: number;
            /** @description What the caller may answer now */
            mine: number;
            /** @description What is assigned to a group of the caller */
            groups: number;
        };
        BulkAnswers: {
            dry_run: boolean;
            accepted: number;
            refused: number;
            results: {
                interventionId: string;
                job_id?: string;
                title?: string;
                /** @enum {string} */
                kind?: "approval" | "form" | "questions";
                shown_hash?: string;
                /**
                 * @description `repeats`: the caller has given the same answer before, and nothing changes. `pending`: no worker has taken the answer yet, so it may still count
                 * @enum {string}
                 */
                outcome: "counts" | "repeats" | "pending" | "refused";
                /** @description Whether the run goes on with it */
                decides?: boolean;
                approvals?: number;
                quorum?: number;
                /** @description Why it is refused, such as CLAIMED or FORBIDDEN */
                code?: string;
                message?: string;
            }[];
        };
        TaskState: {
            job_id: string;
            interventionId: string;
            revision: number;
            assignees: string[];
            claimed_by?: string;
            /** Format: date-time */
            claimed_at?: string;
        };
        AbsenceList: {
            data: components["schemas"]["Absence"][];
        };
        WorkingCalendars: {
            data: components["schemas"]["WorkingCalendar"][];
        };
        WorkingCalendar: {
            name: string;
            time_zone: string;
            hours: {
                [key: string]: string[];
            };
            holidays: string[];
            updated_by: string;
            /** Format: date-time */
            updated_at: string;
        };
        Evidence: {
            /** @description `evidence/2`: the run, the signed statement of each vote with its role, the decision, the history, the audit log entries with their seals, and mismatches between these. Of a removed run, `purged_at` and `purged_by` */
            document?: Record<string, unknown>;
            /** @description What was shown. Its canonical JSON (RFC 8785) has the SHA-256 `shown_hash`. Null after a purge */
            shown?: Record<string, unknown> | null;
            /** @description Texts and values. Each is in the statements as the SHA-256 of the canonical JSON of `[salt, name, value]`, so you can leave out any of them */
            texts: {
                /** @description The vote that has the text, or 0 for what was shown to all voters */
                seq: number;
                /** @description Such as `title` or `comment` */
                name: string;
                salt: string;
                value?: unknown;
            }[];
            /** @description Null where the service has no key to sign with */
            signature: {
                /** @enum {string} */
                algorithm: "Ed25519";
                key_id: string;
                /** @description Of the canonical JSON (RFC 8785) of the document, in Base64 */
                value: string;
            } | null;
        };
        EvidenceKeys: {
            data: {
                key_id: string;
                /** @enum {string} */
                algorithm: "Ed25519";
                /** @description As PEM */
                public_key: string;
                /** @description Whether new documents are signed with it */
                is_current: boolean;
            }[];
        };
        WorkspaceEvent: components["schemas"]["ResourceChange"] | components["schemas"]["JobChange"] | components["schemas"]["InterventionChange"] | components["schemas"]["WebhookChange"] | components["schemas"]["TriggerChange"] | components["schemas"]["Position"] | components["schemas"]["WorkspaceGap"];
        ResourceChange: {
            /**
             * Format: uuid
             * @description Id of the event, the same in the stream and in deliveries
             */
            id: string;
            /** Format: date-time */
            at: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "resource.created" | "resource.updated" | "resource.moved" | "resource.deleted" | "resource.restored" | "resource.indexed";
            resource: {
                /** Format: uuid */
                id: string;
                /** @description The kind, as in `GET /v1/resources/:catalog/:id` */
                type: string;
                slug: string;
                version: number;
                path: string;
                /**
                 * Format: uuid
                 * @description Null for what belongs to the workspace
                 */
                brain_id: string | null;
            };
        };
        JobChange: {
            /**
             * Format: uuid
             * @description Id of the event, the same in the stream and in deliveries
             */
            id: string;
            /** Format: date-time */
            at: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "job.started" | "job.waiting" | "job.paused" | "job.resumed" | "job.completed" | "job.failed" | "job.cancelled";
            job: {
                id: string;
                kind: string;
                status: string;
                root_job_id: string;
                parent_job_id?: string;
                /** Format: uuid */
                pathway_id?: string;
                /** Format: uuid */
                neuron_id?: string;
                /** Format: uuid */
                receptor_id?: string;
                /** Format: uuid */
                asset_id?: string;
                /** Format: uuid */
                trace_id?: string;
                /** Format: uuid */
                brain_id?: string;
            };
        };
        InterventionChange: {
            /**
             * Format: uuid
             * @description Id of the event, the same in the stream and in deliveries
             */
            id: string;
            /** Format: date-time */
            at: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "intervention.requested" | "intervention.answered" | "intervention.reminded" | "intervention.timed_out" | "intervention.cancelled" | "intervention.claimed" | "intervention.released" | "intervention.reassigned" | "intervention.delegated" | "intervention.escalated" | "intervention.excluded" | "intervention.commented";
            intervention: {
                id: string;
                job_id: string;
                root_job_id: string;
                kind: string | null;
                status: string;
                /**
                 * Format: uuid
                 * @description Null for what belongs to the workspace
                 */
                brain_id: string | null;
            };
        };
        WebhookChange: {
            /**
             * Format: uuid
             * @description Id of the event, the same in the stream and in deliveries
             */
            id: string;
            /** Format: date-time */
            at: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "webhook.disabled";
            webhook: {
                /** Format: uuid */
                id: string;
                reason: string;
                /**
                 * Format: uuid
                 * @description Null for what belongs to the workspace
                 */
                brain_id: string | null;
            };
        };
        TriggerChange: {
            /**
             * Format: uuid
             * @description Id of the event, the same in the stream and in deliveries
             */
            id: string;
            /** Format: date-time */
            at: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "trigger.health_changed";
            trigger: {
                /** Format: uuid */
                id: string;
                slug: string;
                /** @enum {string} */
                health: "ok" | "paused" | "target_missing" | "failing" | "over_limit";
                reason: string | null;
                /**
                 * Format: uuid
                 * @description Null for what belongs to the workspace
                 */
                brain_id: string | null;
            };
        };
        /** @description Nothing happened: the id is where to resume */
        Position: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "position";
        };
        WorkspaceGap: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "gap";
            message: string;
        };
        WebhookPage: {
            data: components["schemas"]["Webhook"][];
            pagination: components["schemas"]["Pagination"];
        };
        Webhook: {
            /** Format: uuid */
            id: string;
            /** @enum {string} */
            scope: "workspace" | "brain";
            /** Format: uuid */
            brain_id: string | null;
            url: string;
            description: string | null;
            event_types: components["schemas"]["EventFilter"][];
            is_active: boolean;
            /** Format: date-time */
            disabled_at: string | null;
            /** @description `gone`: the endpoint responded with 410; `failing`: deliveries have only failed for days */
            disabled_reason: ("requested" | "gone" | "failing") | null;
            /**
             * Format: date-time
             * @description The first failure since the last success
             */
            failing_since: string | null;
            /**
             * Format: date-time
             * @description Until when the secret before the rotation signs, too
             */
            previous_secret_until: string | null;
            created_by: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        /** @enum {string} */
        EventFilter: "resource.created" | "resource.updated" | "resource.moved" | "resource.deleted" | "resource.restored" | "resource.indexed" | "job.started" | "job.waiting" | "job.paused" | "job.resumed" | "job.completed" | "job.failed" | "job.cancelled" | "intervention.requested" | "intervention.answered" | "intervention.reminded" | "intervention.timed_out" | "intervention.cancelled" | "intervention.claimed" | "intervention.released" | "intervention.reassigned" | "intervention.delegated" | "intervention.escalated" | "intervention.excluded" | "intervention.commented" | "webhook.disabled" | "trigger.health_changed" | "resource.*" | "job.*" | "intervention.*" | "webhook.*" | "trigger.*";
        WebhookWithSecret: {
            /** Format: uuid */
            id: string;
            /** @enum {string} */
            scope: "workspace" | "brain";
            /** Format: uuid */
            brain_id: string | null;
            url: string;
            description: string | null;
            event_types: components["schemas"]["EventFilter"][];
            is_active: boolean;
            /** Format: date-time */
            disabled_at: string | null;
            /** @description `gone`: the endpoint responded with 410; `failing`: deliveries have only failed for days */
            disabled_reason: ("requested" | "gone" | "failing") | null;
            /**
             * Format: date-time
             * @description The first failure since the last success
             */
            failing_since: string | null;
            /**
             * Format: date-time
             * @description Until when the secret before the rotation signs, too
             */
            previous_secret_until: string | null;
            created_by: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /**
             * @description For signatures; shown only here
             * @example whsec_…
             */
            secret: string;
        };
        WebhookDeliveryPage: {
            data: components["schemas"]["WebhookDelivery"][];
            pagination: components["schemas"]["Pagination"];
        };
        WebhookDelivery: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            webhook_id: string;
            /**
             * Format: uuid
             * @description The header `webhook-id` is `msg_` and this id
             */
            event_id: string;
            event_type: string;
            /** @enum {string} */
            status: "pending" | "succeeded" | "failed";
            /** @description Attempts since the delivery or its replay was requested */
            attempts: number;
            /** @description The latest attempts, oldest first */
            attempt_log: {
                /** Format: date-time */
                at: string;
                latency_ms: number;
                /** @description Status of the response */
                status?: number;
                /** @description The first kilobyte of its body */
                response?: string;
                error?: {
                    code: string;
                    message: string;
                };
            }[];
            /** Format: date-time */
            next_attempt_at: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            finished_at: string | null;
        };
        SearchReply: {
            matches: {
                /** Format: uuid */
                resource_id: string;
                type: string;
                slug: string;
                title: string;
                path: string;
                /** @description The version that the chunk is from; in a search of all versions the first that has it */
                version: number;
                /** @description In a search of versions: the last version that has the chunk; null if the latest has it */
                last_version?: number | null;
                /** @description Of an asset */
                media_type: string | null;
                /** @description The values that `filters.metadata` compares */
                metadata: {
                    [key: string]: unknown;
                };
                /** @description The best matching chunk; the highlight is escaped HTML with <mark> */
                chunk: {
                    /** @description Unique to the chunk: `<resource_id>:<version>:<ordinal>` */
                    id: string;
                    ordinal: number;
                    heading: string | null;
                    text: string;
                    highlight: string;
                    /** @description The page of a PDF on which the chunk begins, from 1 */
                    page: number | null;
                } | null;
                /** @description Of a semantic search: the cosine. Otherwise: 1 divided by the rank among all matches. */
                score: number;
                ranks: {
                    keyword: number | null;
                    semantic: number | null;
                };
            }[];
            /** @enum {string} */
            mode: "hybrid" | "keyword" | "semantic";
            took_ms: number;
            /**
             * @description Present if only the beginning of the query was used
             * @enum {boolean}
             */
            truncated?: true;
        };
        Resource: {
            /** Format: uuid */
            id: string;
            slug: string;
            type: string;
            title: string;
            path: string;
            /** @enum {string} */
            scope: "core" | "workspace" | "brain";
            /** Format: uuid */
            brain_id: string | null;
            is_active: boolean;
            version: number;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /** Format: date-time */
            deleted_at: string | null;
            document: {
                [key: string]: unknown;
            };
            /** @description The body of a stakeholder map */
            snapshot?: {
                [key: string]: unknown;
            };
        } & {
            [key: string]: unknown;
        };
        MapDiff: {
            /** Format: uuid */
            resource_id: string;
            title: string;
            from: number;
            to: number;
            stakeholders: {
                added: ({
                    id: string;
                    name: string;
                    /** @description The same in words */
                    sentence: string;
                } & {
                    [key: string]: unknown;
                })[];
                removed: ({
                    id: string;
                    name: string;
                    /** @description The same in words */
                    sentence: string;
                } & {
                    [key: string]: unknown;
                })[];
                changed: {
                    id: string;
                    name: string;
                    changes: {
                        field: string;
                        before?: unknown;
                        after?: unknown;
                    }[];
                    /** @description The same in words */
                    sentence: string;
                }[];
            };
            edges: {
                added: ({
                    from: string;
                    to: string;
                    type: string;
                    /** @description The same in words */
                    sentence: string;
                } & {
                    [key: string]: unknown;
                })[];
                removed: ({
                    from: string;
                    to: string;
                    type: string;
                    /** @description The same in words */
                    sentence: string;
                } & {
                    [key: string]: unknown;
                })[];
                changed: {
                    from: string;
                    to: string;
                    type: string;
                    changes: {
                        field: string;
                        before?: unknown;
                        after?: unknown;
                    }[];
                    /** @description The same in words */
                    sentence: string;
                }[];
            };
        };
        StakeholderBriefing: {
            /** Format: uuid */
            resource_id: string;
            map_title: string;
            version: number;
            stakeholder: {
                id: string;
                name: string;
            } & {
                [key: string]: unknown;
            };
            relations: {
                outgoing: {
                    stakeholder: {
                        id: string;
                        name: string;
                    };
                    type: string;
                    strength: number | null;
                    notes: string | null;
                    /** @description The same in words */
                    sentence: string;
                }[];
                incoming: {
                    stakeholder: {
                        id: string;
                        name: string;
                    };
                    type: string;
                    strength: number | null;
                    notes: string | null;
                    /** @description The same in words */
                    sentence: string;
                }[];
            };
            paths: {
                to: {
                    id: string;
                    name: string;
                };
                through: {
                    id: string;
                    name: string;
                }[];
                /** @description The same in words */
                sentence: string;
            }[];
            /** @description Versions that changed the stakeholder or their relations, newest first */
            changes: {
                version: number;
                /** Format: date-time */
                at: string;
                author: string;
                note: string | null;
                sentences: string[];
            }[];
            has_more_changes: boolean;
            /** @description Documents and meetings that name the stakeholder; null while search cannot be reached */
            mentions: {
                /** Format: uuid */
                resource_id: string;
                type: string;
                title: string;
                path: string;
                excerpt: string;
            }[] | null;
            /** @description Open interventions assigned to the attribute `actor` of the stakeholder, else to `user:<node_id>` */
            interventions: {
                id: string;
                job_id: string;
                title: string;
                /** Format: date-time */
                opened_at: string;
                /** Format: date-time */
                due_at: string | null;
            }[];
            written: {
                model: string;
                sentences: {
                    text: string;
                    facts: number[];
                }[];
                /** @description Sentences of the model that no fact supports */
                left_out: number;
            } | null;
            /** @description What `written` cites, by number from 1 */
            facts: string[];
        };
        ReflexPage: {
            data: components["schemas"]["Reflex"][];
            pagination: components["schemas"]["Pagination"];
        };
        Reflex: {
            /** Format: uuid */
            id: string;
            slug: string;
            /** @enum {string} */
            type: "reflexes";
            title: string;
            path: string;
            /** @enum {string} */
            scope: "core" | "workspace" | "brain";
            /** Format: uuid */
            brain_id: string | null;
            is_active: boolean;
            version: number;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /** Format: date-time */
            deleted_at: string | null;
            description: string | null;
            /** @enum {string} */
            source: "builtin" | "openapi" | "mcp" | "pathway" | "neuron";
            url?: string;
            server_url?: string;
            is_short?: boolean;
            target?: string;
            tools: ({
                name: string;
                description: string;
                /** @description JSON Schema of the arguments */
                parameters: {
                    [key: string]: unknown;
                };
                /** @enum {string} */
                effect?: "read" | "idempotent" | "write";
            } & {
                [key: string]: unknown;
            })[];
            /** @description Names of secrets, by header name */
            secrets: {
                [key: string]: string;
            };
        };
        SavedReflex: {
            /** Format: uuid */
            id: string;
            slug: string;
            /** @enum {string} */
            type: "reflexes";
            title: string;
            path: string;
            /** @enum {string} */
            scope: "core" | "workspace" | "brain";
            /** Format: uuid */
            brain_id: string | null;
            is_active: boolean;
            version: number;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /** Format: date-time */
            deleted_at: string | null;
            description: string | null;
            /** @enum {string} */
            source: "builtin" | "openapi" | "mcp" | "pathway" | "neuron";
            url?: string;
            server_url?: string;
            is_short?: boolean;
            target?: string;
            tools: ({
                name: string;
                description: string;
                /** @description JSON Schema of the arguments */
                parameters: {
                    [key: string]: unknown;
                };
                /** @enum {string} */
                effect?: "read" | "idempotent" | "write";
            } & {
                [key: string]: unknown;
            })[];
            /** @description Names of secrets, by header name */
            secrets: {
                [key: string]: string;
            };
            /** @description The job that lists the tools of the source; null if there is none */
            job_id: string | null;
            /** @description Secrets that the workspace does not have, by JSON pointer */
            warnings?: {
                /** @description JSON pointer to the value */
                pointer: string;
                message: string;
            }[];
        };
        RestoredReflex: {
            /** Format: uuid */
            id: string;
            slug: string;
            /** @enum {string} */
            type: "reflexes";
            title: string;
            path: string;
            /** @enum {string} */
            scope: "core" | "workspace" | "brain";
            /** Format: uuid */
            brain_id: string | null;
            is_active: boolean;
            version: number;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /** Format: date-time */
            deleted_at: string | null;
            description: string | null;
            /** @enum {string} */
            source: "builtin" | "openapi" | "mcp" | "pathway" | "neuron";
            url?: string;
            server_url?: string;
            is_short?: boolean;
            target?: string;
            tools: ({
                name: string;
                description: string;
                /** @description JSON Schema of the arguments */
                parameters: {
                    [key: string]: unknown;
                };
                /** @enum {string} */
                effect?: "read" | "idempotent" | "write";
            } & {
                [key: string]: unknown;
            })[];
            /** @description Names of secrets, by header name */
            secrets: {
                [key: string]: string;
            };
            /** @description Secrets that the workspace does not have, by JSON pointer */
            warnings?: {
                /** @description JSON pointer to the value */
                pointer: string;
                message: string;
            }[];
        };
        ToolPage: {
            data: components["schemas"]["Tool"][];
            pagination: components["schemas"]["Pagination"];
        };
        Tool: {
            name: string;
            description: string;
            /** @description JSON Schema of the arguments */
            parameters?: Record<string, unknown>;
            /**
             * @description Side effect of a call: none (`read`), safe to repeat (`idempotent`) or not safe to repeat (`write`)
             * @enum {string}
             */
            effect: "read" | "idempotent" | "write";
            /**
             * @description A call changes nothing and mostly takes less than half a second. Runs make it without a task of its own.
             * @enum {boolean}
             */
            is_short?: true;
            /** @enum {string} */
            source: "builtin" | "openapi" | "mcp" | "pathway" | "neuron";
            reflex: {
                /** Format: uuid */
                id: string;
                slug: string;
                version: number;
            };
            /** @description The pathway or neuron that the tool runs */
            target?: string;
        };
        /** @description The output of the tool */
        ToolOutput: {
            output?: unknown;
            job_id: string;
        };
        SecretPage: {
            data: components["schemas"]["Secret"][];
            pagination: components["schemas"]["Pagination"];
        };
        Secret: {
            name: string;
            hosts: string[];
            /** @description Whether the operator has a secret of the same name, which is used instead */
            is_overridden: boolean;
            created_by: string;
            /** Format: date-time */
            created_at: string;
            updated_by: string;
            /** Format: date-time */
            updated_at: string;
        };
        TranscribeBody: {
            /** @description A complete file in WAV, MP3, M4A, WebM, Ogg, FLAC, AAC, AMR, 3GP and AIFF */
            audio_base64: string;
            /**
             * @description Media type, such as audio/mpeg
             * @example audio/mpeg
             */
            mime_type: string;
            /** @description The language that is spoken, such as en. Default: the speech service finds it out. */
            language?: string;
            /**
             * Format: uuid
             * @description Id of the brain to work in, as `X-Brain-Id`. Where both are sent they must agree.
             */
            brain_id?: string;
        };
        MeetingPage: {
            data: components["schemas"]["Meeting"][];
            pagination: components["schemas"]["Pagination"];
        };
        Meeting: {
            /** Format: uuid */
            id: string;
            slug: string;
            /** @enum {string} */
            type: "meetings";
            title: string;
            path: string;
            /** @enum {string} */
            scope: "core" | "workspace" | "brain";
            /** Format: uuid */
            brain_id: string | null;
            is_active: boolean;
            version: number;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /** Format: date-time */
            deleted_at: string | null;
            description: string | null;
            /** @enum {string} */
            status: "scheduled" | "live" | "ended";
            /** Format: date-time */
            starts_at?: string;
            /** Format: date-time */
            ended_at?: string;
            /**
             * Format: uuid
             * @description Artifact of the transcript, present when the meeting has ended
             */
            artifact_id?: string;
            participants: string[];
        };
        AcceptedPiece: {
            /** Format: uuid */
            meeting_id: string;
            job_id: string;
            seq: number;
            sha256: string;
        };
        MeetingAudio: {
            /** @description A complete file in WAV, MP3, M4A, WebM, Ogg, FLAC, AAC, AMR, 3GP and AIFF */
            audio_base64: string;
            /**
             * @description Media type, such as audio/mpeg
             * @example audio/mpeg
             */
            mime_type: string;
            /** @description Sequence number of the piece; pieces may be sent in any order */
            seq: number;
            /** @description Speaker of this piece */
            speaker?: string;
            /** @description Seconds since the beginning of the meeting. Default: the end of the previous piece. */
            start?: number;
            /**
             * Format: uuid
             * @description Id of the brain to work in, as `X-Brain-Id`. Where both are sent they must agree.
             */
            brain_id?: string;
        };
        MeetingEnding: {
            meeting: components["schemas"]["Meeting"];
            /** @description The job that transcribes the meeting; null if the meeting had already ended */
            job_id: string | null;
        };
        MeetingTranscript: {
            /** Format: uuid */
            meeting_id: string;
            /** @enum {string} */
            status: "scheduled" | "live" | "ended";
            text: string;
            segments: {
                seq: number;
                text: string;
                speaker?: string;
                /** @description Seconds since the beginning of the meeting, when known */
                start?: number;
                end?: number;
            }[];
            /** @description Number of pieces not yet transcribed */
            pending: number;
            failed: {
                seq: number;
                code: string;
                message: string;
            }[];
            /** Format: uuid */
            artifact_id?: string;
        };
        TriggerPage: {
            data: components["schemas"]["Trigger"][];
            pagination: components["schemas"]["Pagination"];
        };
        Trigger: {
            /** Format: uuid */
            id: string;
            slug: string;
            /** @enum {string} */
            type: "triggers";
            title: string;
            path: string;
            /** @enum {string} */
            scope: "core" | "workspace" | "brain";
            /** Format: uuid */
            brain_id: string | null;
            is_active: boolean;
            version: number;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /** Format: date-time */
            deleted_at: string | null;
            description?: string | null;
            /**
             * @default manual
             * @enum {string}
             */
            trigger_type?: "schedule" | "webhook" | "chat" | "manual" | "event";
            target?: {
                /** @enum {string} */
                type: "neuron" | "pathway" | "receptor";
                ref: string;
            };
            input?: unknown;
            filter?: string;
            limits?: {
                runs_per_hour?: number;
                runs_at_once?: number;
                usd_per_month?: number;
            };
            /** @default false */
            paused?: boolean;
            pause_note?: string;
            schedule?: {
                cron?: string | string[];
                interval?: {
                    every: string;
                    offset?: string;
                };
                calendars?: {
                    second?: string | number;
                    minute?: string | number;
                    hour?: string | number;
                    day_of_month?: string | number;
                    month?: string | number;
                    day_of_week?: string | number;
                    year?: string | number;
                    comment?: string;
                }[];
                /** @default UTC */
                time_zone?: string;
                jitter?: string;
                /** Format: date-time */
                start_at?: string;
                /** Format: date-time */
                end_at?: string;
                /**
                 * @default skip
                 * @enum {string}
                 */
                overlap?: "skip" | "buffer_one" | "allow" | "cancel_other";
                /** @default PT1H */
                catch_up?: string;
            };
            /** @description Takes requests at a URL, whose token `POST /v1/triggers/{id}/rotate-token` makes */
            webhook?: {
                signature: {
                    /** @constant */
                    scheme: "standard_webhooks";
                    /**
                     * @description How far the time of a signed message may be from the present, in both directions
                     * @default 300
                     */
                    tolerance_seconds?: number;
                } | {
                    /** @constant */
                    scheme: "github";
                } | {
                    /** @constant */
                    scheme: "stripe";
                    /**
                     * @description How far the time of a signed message may be from the present, in both directions
                     * @default 300
                     */
                    tolerance_seconds?: number;
                } | {
                    /** @constant */
                    scheme: "slack";
                    /**
                     * @description How far the time of a signed message may be from the present, in both directions
                     * @default 300
                     */
                    tolerance_seconds?: number;
                } | {
                    /** @constant */
                    scheme: "hmac";
                    /** @description The header with the signature */
                    header: string;
                    /**
                     * @description What precedes the signature, such as `sha256=`
                     * @default
                     */
                    prefix?: string;
                    /**
                     * @default sha256
                     * @enum {string}
                     */
                    algorithm?: "sha256" | "sha512" | "sha1";
                    /**
                     * @default hex
                     * @enum {string}
                     */
                    encoding?: "hex" | "base64" | "base64url";
                    /** @description The header with the time of the message, in Unix seconds */
                    timestamp_header?: string;
                    /** @description What is signed: text with `{body}` once, `{timestamp}` and `{delivery_id}`. Default: `{timestamp}.{body}` with `timestamp_header`, else `{body}` */
                    content?: string;
                    /**
                     * @description How far the time of a signed message may be from the present, in both directions
                     * @default 300
                     */
                    tolerance_seconds?: number;
                    /** @description The header whose value identifies a delivery, so that a repeat starts nothing. The signature must cover it: `content` contains `{delivery_id}` */
                    delivery_id_header?: string;
                } | {
                    /** @constant */
                    scheme: "none";
                    /** @description The header whose value identifies a delivery, so that a repeat starts nothing */
                    delivery_id_header?: string;
                };
                /** @description CEL over `event.body`, such as `event.body.claim_id`: requests with the same value start one run. Without a value, the id of the delivery or the signed content counts. */
                dedupe_by?: string;
                /**
                 * @default async
                 * @enum {string}
                 */
                respond?: "async" | "sync";
                /** @default 20 */
                wait_seconds?: number;
                /** @default 600 */
                requests_per_minute?: number;
            };
            chat?: {
                receptor?: string;
                /** Format: uuid */
                trace_id?: string;
                phrases?: string[];
                mentions?: string[];
                router?: {
                    neuron: string;
                };
            };
            manual?: Record<string, unknown>;
            event?: {
                types: ("resource.created" | "resource.updated" | "resource.moved" | "resource.deleted" | "resource.restored" | "resource.indexed" | "job.started" | "job.waiting" | "job.paused" | "job.resumed" | "job.completed" | "job.failed" | "job.cancelled" | "intervention.requested" | "intervention.answered" | "intervention.reminded" | "intervention.timed_out" | "intervention.cancelled" | "intervention.claimed" | "intervention.released" | "intervention.reassigned" | "intervention.delegated" | "intervention.escalated" | "intervention.excluded" | "intervention.commented" | "webhook.disabled" | "trigger.health_changed" | "resource.*" | "job.*" | "intervention.*" | "webhook.*" | "trigger.*")[];
                path?: string;
                resource_types?: string[];
                debounce?: {
                    seconds: number;
                    /**
                     * @default subject
                     * @enum {string}
                     */
                    by?: "subject" | "path" | "type" | "trigger";
                };
            };
            /** @enum {string} */
            health: "ok" | "paused" | "target_missing" | "failing" | "over_limit";
            /** @description What keeps it from starting runs; null for `ok` */
            health_reason: string | null;
            /** Format: date-time */
            last_fired_at: string | null;
            /**
             * Format: date-time
             * @description Null without a schedule, and while it is paused
             */
            next_fire_at: string | null;
        };
        Firing: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            trigger_id: string;
            /** @description The version of the trigger that decided */
            trigger_version: number;
            /**
             * @description The type of the trigger, or `manual` for a request
             * @enum {string}
             */
            source: "schedule" | "webhook" | "chat" | "manual" | "event";
            /** @enum {string} */
            decision: "fired" | "filtered" | "limited" | "duplicate" | "failed_mapping" | "paused" | "target_missing" | "refused";
            reason: string | null;
            job_id: string | null;
            /** @description Two events with the same key start one run */
            dedupe_key: string;
            /**
             * Format: uuid
             * @description The firing that had the key first
             */
            duplicate_of: string | null;
            /**
             * Format: uuid
             * @description The firing whose event this one repeats on request
             */
            replay_of: string | null;
            /** @description Number of triggers that led to this firing */
            depth: number;
            /** @description Who fired it by request */
            fired_by: string | null;
            event: {
                [key: string]: unknown;
            } | null;
            /** @description The input of the run */
            input?: unknown;
            /** Format: date-time */
            created_at: string;
        };
        FiringPage: {
            data: components["schemas"]["Firing"][];
            pagination: components["schemas"]["Pagination"];
        };
        TriggerPreview: {
            /** @description Without jitter */
            times: string[];
            time_zone: string | null;
        };
        TriggerBackfill: {
            /** @description Times of the schedule in the period, also those that have fired */
            times: number;
        };
        Hook: {
            /** Format: uuid */
            trigger_id: string;
            /**
             * @description `none`: only the token protects the hook
             * @enum {string}
             */
            signature: "standard_webhooks" | "github" | "stripe" | "slack" | "hmac" | "none";
            /** @description The valid tokens, latest first */
            tokens: {
                /** @description The part of the token that may be shown */
                prefix: string;
                /** Format: date-time */
                created_at: string;
                created_by: string | null;
                /**
                 * Format: date-time
                 * @description Set once the token has been replaced
                 */
                expires_at: string | null;
                /** Format: date-time */
                last_used_at: string | null;
            }[];
            /** @description Whether signatures can be checked; without a secret none is accepted */
            has_secret: boolean;
            /** Format: date-time */
            secret_updated_at: string | null;
            /**
             * Format: date-time
             * @description Until when signatures of the secret before the rotation are accepted, too
             */
            previous_secret_until: string | null;
        };
        HookToken: {
            /** Format: uuid */
            trigger_id: string;
            /**
             * @description `none`: only the token protects the hook
             * @enum {string}
             */
            signature: "standard_webhooks" | "github" | "stripe" | "slack" | "hmac" | "none";
            /** @description The valid tokens, latest first */
            tokens: {
                /** @description The part of the token that may be shown */
                prefix: string;
                /** Format: date-time */
                created_at: string;
                created_by: string | null;
                /**
                 * Format: date-time
                 * @description Set once the token has been replaced
                 */
                expires_at: string | null;
                /** Format: date-time */
                last_used_at: string | null;
            }[];
            /** @description Whether signatures can be checked; without a secret none is accepted */
            has_secret: boolean;
            /** Format: date-time */
            secret_updated_at: string | null;
            /**
             * Format: date-time
             * @description Until when signatures of the secret before the rotation are accepted, too
             */
            previous_secret_until: string | null;
            /**
             * @description Shown only here
             * @example gnh_…
             */
            token: string;
            /** @description What senders call. A path if the service does not know its own address */
            url: string;
        };
        HookSecret: {
            /** Format: uuid */
            trigger_id: string;
            /**
             * @description `none`: only the token protects the hook
             * @enum {string}
             */
            signature: "standard_webhooks" | "github" | "stripe" | "slack" | "hmac" | "none";
            /** @description The valid tokens, latest first */
            tokens: {
                /** @description The part of the token that may be shown */
                prefix: string;
                /** Format: date-time */
                created_at: string;
                created_by: string | null;
                /**
                 * Format: date-time
                 * @description Set once the token has been replaced
                 */
                expires_at: string | null;
                /** Format: date-time */
                last_used_at: string | null;
            }[];
            /** @description Whether signatures can be checked; without a secret none is accepted */
            has_secret: boolean;
            /** Format: date-time */
            secret_updated_at: string | null;
            /**
             * Format: date-time
             * @description Until when signatures of the secret before the rotation are accepted, too
             */
            previous_secret_until: string | null;
            /** @description Shown only here, and only if it was made now */
            secret?: string;
        };
        HookAnswer: components["schemas"]["HookResult"] | components["schemas"]["HookDecision"] | components["schemas"]["HookChallenge"];
        HookResult: {
            job_id: string;
            /**
             * Format: uuid
             * @description The row of `GET /v1/triggers/{id}/runs`
             */
            firing_id: string;
            /** @enum {string} */
            status: "completed";
            result?: unknown;
        };
        HookDecision: {
            /**
             * Format: uuid
             * @description The row of `GET /v1/triggers/{id}/runs`
             */
            firing_id: string;
            /** @enum {string} */
            decision: "fired" | "filtered" | "limited" | "duplicate" | "failed_mapping" | "paused" | "target_missing" | "refused";
            /** @description Always null: no run started */
            job_id: string | null;
        };
        HookChallenge: {
            challenge: string;
        };
        HookAccepted: {
            job_id: string;
            /**
             * Format: uuid
             * @description The row of `GET /v1/triggers/{id}/runs`
             */
            firing_id: string;
            /** @enum {string} */
            decision: "fired" | "filtered" | "limited" | "duplicate" | "failed_mapping" | "paused" | "target_missing" | "refused";
            status: string;
        };
        AutomationGraph: {
            triggers: components["schemas"]["AutomationTrigger"][];
            edges: {
                /** Format: uuid */
                from: string;
                to: {
                    /** @enum {string} */
                    type: "neuron" | "pathway" | "receptor";
                    /** @description As the trigger names it */
                    ref: string;
                    /**
                     * Format: uuid
                     * @description Absent for a target that is missing or switched off
                     */
                    id?: string;
                    title?: string;
                };
            }[];
            pagination: components["schemas"]["Pagination"];
        };
        AutomationTrigger: {
            /** Format: uuid */
            id: string;
            slug: string;
            /** @enum {string} */
            type: "triggers";
            title: string;
            path: string;
            /** @enum {string} */
            scope: "core" | "workspace" | "brain";
            /** Format: uuid */
            brain_id: string | null;
            is_active: boolean;
            version: number;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /** Format: date-time */
            deleted_at: string | null;
            description?: string | null;
            /**
             * @default manual
             * @enum {string}
             */
            trigger_type?: "schedule" | "webhook" | "chat" | "manual" | "event";
            target?: {
                /** @enum {string} */
                type: "neuron" | "pathway" | "receptor";
                ref: string;
            };
            input?: unknown;
            filter?: string;
            limits?: {
                runs_per_hour?: number;
                runs_at_once?: number;
                usd_per_month?: number;
            };
            /** @default false */
            paused?: boolean;
            pause_note?: string;
            schedule?: {
                cron?: string | string[];
                interval?: {
                    every: string;
                    offset?: string;
                };
                calendars?: {
                    second?: string | number;
                    minute?: string | number;
                    hour?: string | number;
                    day_of_month?: string | number;
                    month?: string | number;
                    day_of_week?: string | number;
                    year?: string | number;
                    comment?: string;
                }[];
                /** @default UTC */
                time_zone?: string;
                jitter?: string;
                /** Format: date-time */
                start_at?: string;
                /** Format: date-time */
                end_at?: string;
                /**
                 * @default skip
                 * @enum {string}
                 */
                overlap?: "skip" | "buffer_one" | "allow" | "cancel_other";
                /** @default PT1H */
                catch_up?: string;
            };
            /** @description Takes requests at a URL, whose token `POST /v1/triggers/{id}/rotate-token` makes */
            webhook?: {
                signature: {
                    /** @constant */
                    scheme: "standard_webhooks";
                    /**
                     * @description How far the time of a signed message may be from the present, in both directions
                     * @default 300
                     */
                    tolerance_seconds?: number;
                } | {
                    /** @constant */
                    scheme: "github";
                } | {
                    /** @constant */
                    scheme: "stripe";
                    /**
                     * @description How far the time of a signed message may be from the present, in both directions
                     * @default 300
                     */
                    tolerance_seconds?: number;
                } | {
                    /** @constant */
                    scheme: "slack";
                    /**
                     * @description How far the time of a signed message may be from the present, in both directions
                     * @default 300
                     */
                    tolerance_seconds?: number;
                } | {
                    /** @constant */
                    scheme: "hmac";
                    /** @description The header with the signature */
                    header: string;
                    /**
                     * @description What precedes the signature, such as `sha256=`
                     * @default
                     */
                    prefix?: string;
                    /**
                     * @default sha256
                     * @enum {string}
                     */
                    algorithm?: "sha256" | "sha512" | "sha1";
                    /**
                     * @default hex
                     * @enum {string}
                     */
                    encoding?: "hex" | "base64" | "base64url";
                    /** @description The header with the time of the message, in Unix seconds */
                    timestamp_header?: string;
                    /** @description What is signed: text with `{body}` once, `{timestamp}` and `{delivery_id}`. Default: `{timestamp}.{body}` with `timestamp_header`, else `{body}` */
                    content?: string;
                    /**
                     * @description How far the time of a signed message may be from the present, in both directions
                     * @default 300
                     */
                    tolerance_seconds?: number;
                    /** @description The header whose value identifies a delivery, so that a repeat starts nothing. The signature must cover it: `content` contains `{delivery_id}` */
                    delivery_id_header?: string;
                } | {
                    /** @constant */
                    scheme: "none";
                    /** @description The header whose value identifies a delivery, so that a repeat starts nothing */
                    delivery_id_header?: string;
                };
                /** @description CEL over `event.body`, such as `event.body.claim_id`: requests with the same value start one run. Without a value, the id of the delivery or the signed content counts. */
                dedupe_by?: string;
                /**
                 * @default async
                 * @enum {string}
                 */
                respond?: "async" | "sync";
                /** @default 20 */
                wait_seconds?: number;
                /** @default 600 */
                requests_per_minute?: number;
            };
            chat?: {
                receptor?: string;
                /** Format: uuid */
                trace_id?: string;
                phrases?: string[];
                mentions?: string[];
                router?: {
                    neuron: string;
                };
            };
            manual?: Record<string, unknown>;
            event?: {
                types: ("resource.created" | "resource.updated" | "resource.moved" | "resource.deleted" | "resource.restored" | "resource.indexed" | "job.started" | "job.waiting" | "job.paused" | "job.resumed" | "job.completed" | "job.failed" | "job.cancelled" | "intervention.requested" | "intervention.answered" | "intervention.reminded" | "intervention.timed_out" | "intervention.cancelled" | "intervention.claimed" | "intervention.released" | "intervention.reassigned" | "intervention.delegated" | "intervention.escalated" | "intervention.excluded" | "intervention.commented" | "webhook.disabled" | "trigger.health_changed" | "resource.*" | "job.*" | "intervention.*" | "webhook.*" | "trigger.*")[];
                path?: string;
                resource_types?: string[];
                debounce?: {
                    seconds: number;
                    /**
                     * @default subject
                     * @enum {string}
                     */
                    by?: "subject" | "path" | "type" | "trigger";
                };
            };
            /** @enum {string} */
            health: "ok" | "paused" | "target_missing" | "failing" | "over_limit";
            /** @description What keeps it from starting runs; null for `ok` */
            health_reason: string | null;
            /** Format: date-time */
            last_fired_at: string | null;
            /**
             * Format: date-time
             * @description Null without a schedule, and while it is paused
             */
            next_fire_at: string | null;
            /** @description Decisions about the events of the last 24 hours */
            counts: {
                fired?: number;
                filtered?: number;
                limited?: number;
                duplicate?: number;
                failed_mapping?: number;
                paused?: number;
                target_missing?: number;
                refused?: number;
            };
        };
        BrowsePage: {
            /** @enum {string} */
            type: "neurons" | "pathways" | "receptors" | "reflexes" | "skills" | "triggers" | "meetings" | "stakeholder_maps" | "assets" | "artifacts" | "recollections";
            data: components["schemas"]["ResourceEntry"][];
            heads?: components["schemas"]["Resource"][];
            pagination: components["schemas"]["Pagination"];
        };
        ResourceEntry: {
            /** Format: uuid */
            id: string;
            slug: string;
            /** @enum {string} */
            type: "neurons" | "pathways" | "receptors" | "reflexes" | "skills" | "triggers" | "meetings" | "stakeholder_maps" | "assets" | "artifacts" | "recollections";
            title: string;
            path: string;
            version: number;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        ResourceTree: components["schemas"]["TreeNodePage"] | components["schemas"]["TreeNodePages"];
        TreeNodePage: {
            nodes: components["schemas"]["TreeNode"][];
            /** @description Cursor of the next page; absent on the last page */
            cursor?: string;
        };
        TreeNode: {
            key: string;
            /** @enum {string} */
            kind: "folder" | "resource";
            title: string;
            /** @description Path of the folder, or of the folder that holds the resource */
            path: string;
            resource?: components["schemas"]["ResourceEntry"];
            has_children: boolean;
        };
        TreeNodePages: {
            parents: {
                [key: string]: components["schemas"]["TreeNodePage"];
            };
        };
        Tree: components["schemas"]["TreeRowPage"] | components["schemas"]["TreeFolderPage"];
        TreeRowPage: {
            rows: components["schemas"]["ResourceEntry"][];
            /** @description Cursor of the next page; absent on the last page */
            cursor?: string;
        };
        TreeFolderPage: {
            folders: {
                path: string;
                title: string;
                /** @description Resources directly in the folder that belong to the profile */
                resources: number;
            }[];
            /** @description Cursor of the next page; absent on the last page */
            cursor?: string;
        };
        Moved: {
            /** @description The first 1,000 resources: those given by id, then those of folders */
            moved: {
                /** Format: uuid */
                id: string;
                path: string;
            }[];
            folders: {
                from: string;
                path: string;
                resources: number;
            }[];
            /** @description Total of moved resources */
            total: number;
        };
        IngestReply: components["schemas"]["Ingested"] | components["schemas"]["IngestedBatch"];
        Ingested: {
            asset: components["schemas"]["Asset"];
            /** @description The job that extracts the text; null if extraction is complete */
            job_id: string | null;
            /** @description The fields of a known asset that this request changed, such as `title` or `sha256` */
            updated: string[];
        };
        Asset: {
            /** Format: uuid */
            id: string;
            slug: string;
            type: string;
            title: string;
            path: string;
            /** @enum {string} */
            scope: "core" | "workspace" | "brain";
            /** Format: uuid */
            brain_id: string | null;
            is_active: boolean;
            version: number;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /** Format: date-time */
            deleted_at: string | null;
            description: string | null;
            media_type: string;
            /** @description Size of the content in bytes */
            size: number;
            /** @description SHA-256 of the content, in hexadecimal */
            sha256: string;
            metadata: {
                [key: string]: string | number | boolean;
            };
            charset?: string;
            file_name?: string;
            source_key?: string;
            extraction: components["schemas"]["Extraction"];
        };
        /** @description Progress of the text extraction. Extracted text can be searched. */
        Extraction: {
            /**
             * @description `none`: the document is stored without text, such as an image
             * @enum {string}
             */
            status: "processing" | "ready" | "failed" | "none";
            /** @description The job that extracts the text, while it runs */
            job_id?: string;
            error?: {
                code: string;
                message: string;
            };
            /** @description Title found in the document */
            title?: string;
            pages?: number;
            characters?: number;
            /** @description Metadata found in the document. `note` names limits of the text, such as pages without text. */
            metadata?: {
                [key: string]: string;
            };
        };
        IngestedBatch: {
            /** @description One result for each document, in their order */
            results: ({
                asset: components["schemas"]["Asset"];
                /** @description The job that extracts the text; null if extraction is complete */
                job_id: string | null;
                /** @description The fields of a known asset that this request changed, such as `title` or `sha256` */
                updated: string[];
                /** @description The status that the document alone would have had */
                status: number;
            } | {
                /** @description Human-readable description of the error */
                message: string;
                /**
                 * @description Machine-readable error code
                 * @example VALIDATION_ERROR
                 */
                code: string;
                details?: {
                    /** @description JSON pointer to the value */
                    pointer: string;
                    message: string;
                }[];
                /** @description Seconds to wait before a retry */
                retryAfter?: number;
                /** @description The status that the document alone would have had */
                status: number;
            })[];
        };
        IngestBody: {
            text?: string;
            content_base64?: string;
            /** @description Media type of the content. Default: detected from the name and the bytes. */
            mime_type?: string;
            file_name?: string;
            /** @description Default: the title of the document, the file name, or the beginning of the text */
            title?: string;
            /** @description Id of the document in its source system. It identifies the document, wherever it is moved. Default: its folder and file name identify it. */
            source_key?: string;
            /** @description Folder, such as /finance/invoices; / is the root. At most 1,000 bytes of UTF-8. */
            path?: string;
            /**
             * @description `workspace`, or `brain`: that of the brain context. `core` is refused with 403. Default of a new resource: `brain`.
             * @enum {string}
             */
            scope?: "core" | "workspace" | "brain";
            description?: string | null;
            /** @description Text, number and boolean values to filter searches by */
            metadata?: {
                [key: string]: string | number | boolean;
            };
            /**
             * Format: uuid
             * @description Id of the brain to work in, as `X-Brain-Id`. Where both are sent they must agree.
             */
            brain_id?: string;
        } & ({
            text: unknown;
        } | {
            content_base64: unknown;
        });
        IngestBatch: {
            documents: components["schemas"]["IngestBody"][];
            /**
             * Format: uuid
             * @description Id of the brain to work in, as `X-Brain-Id`. Where both are sent they must agree.
             */
            brain_id?: string;
        };
        AssetPage: {
            data: components["schemas"]["Asset"][];
            pagination: components["schemas"]["Pagination"];
        };
        ArtifactPage: {
            data: components["schemas"]["Artifact"][];
            pagination: components["schemas"]["Pagination"];
        };
        Artifact: {
            /** Format: uuid */
            id: string;
            slug: string;
            type: string;
            title: string;
            path: string;
            /** @enum {string} */
            scope: "core" | "workspace" | "brain";
            /** Format: uuid */
            brain_id: string | null;
            is_active: boolean;
            version: number;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /** Format: date-time */
            deleted_at: string | null;
            description: string | null;
            media_type: string;
            /** @description Size of the content in bytes */
            size: number;
            /** @description SHA-256 of the content, in hexadecimal */
            sha256: string;
            metadata: {
                [key: string]: string | number | boolean;
            };
        };
        /** @description An RFC 6902 operation on {title, slug, path, scope, brain_id, is_active, document} */
        PatchOperation: components["schemas"]["ValueOperation"] | components["schemas"]["RemoveOperation"] | components["schemas"]["MoveOperation"];
        ValueOperation: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            op: "add" | "replace" | "test";
            path: string;
            value: unknown;
        };
        RemoveOperation: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            op: "remove";
            path: string;
        };
        MoveOperation: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            op: "move" | "copy";
            path: string;
            from: string;
        };
        ResourceDryRun: {
            results: {
                /** @enum {string} */
                kind: "neurons" | "pathways" | "receptors" | "reflexes" | "skills" | "triggers" | "meetings" | "stakeholder_maps" | "assets" | "artifacts";
                slug: string;
                /** @enum {string} */
                action: "create" | "update" | "unchanged" | "invalid";
                /** @description The current version; null for a new resource */
                version: number | null;
                /** @description The resource after the save; null with problems */
                resource: ({
                    /** Format: uuid */
                    id: string;
                    slug: string;
                    type: string;
                    title: string;
                    path: string;
                    /** @enum {string} */
                    scope: "core" | "workspace" | "brain";
                    /** Format: uuid */
                    brain_id: string | null;
                    is_active: boolean;
                    version: number;
                    /** Format: date-time */
                    created_at: string;
                    /** Format: date-time */
                    updated_at: string;
                    /** Format: date-time */
                    deleted_at: string | null;
                    document: {
                        [key: string]: unknown;
                    };
                    /** @description The body of a stakeholder map */
                    snapshot?: {
                        [key: string]: unknown;
                    };
                } & {
                    [key: string]: unknown;
                }) | null;
                problems: {
                    pointer: string;
                    message: string;
                }[];
            }[];
        };
        ResourcePage: {
            data: components["schemas"]["Resource"][];
            pagination: components["schemas"]["Pagination"];
        };
    };
    responses: {
        /** @description The request is invalid. `details` lists each problem with its place. */
        InvalidRequest: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Missing or invalid credentials */
        Unauthenticated: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The caller lacks the permission */
        Forbidden: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Does not exist in the workspace of the caller */
        NotFound: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The body took too long to arrive */
        BodyTimeout: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Conflicts with the current state */
        Conflict: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The body is too large */
        BodyTooLarge: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The media type of the body, or of a document in it, is not supported */
        UnsupportedMediaType: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Too many requests. Retry after `retryAfter` seconds. */
        TooManyRequests: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The headers, with the path and the query, are longer than 16 KB */
        HeadersTooLarge: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Internal error */
        InternalError: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description A component is unavailable. Retry after `retryAfter` seconds. */
        Unavailable: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: {
        /** @description Requests that the credential, or the address without one, may send in a minute */
        RateLimitLimit: number;
        /** @description Requests that are left in the present window */
        RateLimitRemaining: number;
        /** @description Unix time in seconds at which the window ends */
        RateLimitReset: number;
        /** @description Seconds to wait before a retry */
        RetryAfter: number;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    "health.get": {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Runs are accepted */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Health"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            /** @description Runs cannot be accepted, or the API key cannot be checked */
            503: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Health"] | components["schemas"]["Error"];
                };
            };
        };
    };
    "health.live": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Alive */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Liveness"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
        };
    };
    "config.get": {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The settings */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Settings"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "openapi.get": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description An OpenAPI 3.1 document */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenApiDocument"];
                };
            };
            /** @description The document with the entity tag of `If-None-Match` is current */
            304: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequest"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
        };
    };
    "docs.page": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description An HTML page */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            400: components["responses"]["InvalidRequest"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
        };
    };
    "docs.script": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description JavaScript */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "text/javascript": string;
                };
            };
            /** @description The script with the entity tag of `If-None-Match` is current */
            304: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequest"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
        };
    };
    "shareTokens.list": {
        parameters: {
            query?: {
                /** @description Page size */
                limit?: number;
                /** @description Number of entries to skip */
                offset?: number;
            };
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of share tokens */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ShareTokenPage"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "shareTokens.create": {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    /** @description Id or slug of a receptor, or id of a thread */
                    target: {
                        /** @enum {string} */
                        type: "receptor" | "trace";
                        id: string;
                    };
                    /** @description Default: all */
                    rights?: ("read" | "write")[];
                    /**
                     * Format: date-time
                     * @description Default: 30 days from now
                     */
                    expires_at?: string;
                    /** @description Limit of the messages that are sent */
                    max_uses?: number;
                    /**
                     * Format: uuid
                     * @description Id of the brain to work in, as `X-Brain-Id`. Where both are sent they must agree.
                     */
                    brain_id?: string;
                };
            };
        };
        responses: {
            /** @description The token, whose text is shown only once */
            201: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedShareToken"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description The receptor or the thread does not exist */
            404: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            408: components["responses"]["BodyTimeout"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "shareTokens.revoke": {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Revoked */
            204: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["BodyTimeout"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "members.list": {
        parameters: {
            query?: {
                /** @description Page size */
                limit?: number;
                /** @description Number of entries to skip */
                offset?: number;
            };
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of members */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemberPage"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "members.save": {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
            };
            path: {
                actor: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /**
                     * @description Default: the current role, or `builder`
                     * @enum {string}
                     */
                    role?: "owner" | "admin" | "builder" | "operator" | "reviewer" | "viewer";
                    /** @description Default: the current groups, or none */
                    groups?: string[];
                    /**
                     * Format: uuid
                     * @description Id of the brain to work in, as `X-Brain-Id`. Where both are sent they must agree.
                     */
                    brain_id?: string;
                };
            };
        };
        responses: {
            /** @description The member */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Member"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["BodyTimeout"];
            /** @description The workspace must keep an owner */
            409: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "members.remove": {
        parameters: {
            query?: {
                /** @description `true` lists what would end, and changes nothing */
                dry_run?: "true" | "false";
            };
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
            };
            path: {
                actor: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What has ended and what is open */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Departure"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["BodyTimeout"];
            /** @description The workspace must keep an owner */
            409: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "members.handOver": {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
            };
            path: {
                actor: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The member who takes over */
                    to: string;
                    /** @description Default: tasks that name the person, that they claimed or that nobody else may answer */
                    tasks?: string[];
                    /** @description Default: all triggers of a person who has left */
                    triggers?: string[];
                    /** @description true: lists what would be handed over, and changes nothing */
                    dry_run?: boolean;
                    /**
                     * Format: uuid
                     * @description Id of the brain to work in, as `X-Brain-Id`. Where both are sent they must agree.
                     */
                    brain_id?: string;
                };
            };
        };
        responses: {
            /** @description What became of each task and trigger */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Handover"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["BodyTimeout"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "brains.list": {
        parameters: {
            query?: {
                /** @description Page size */
                limit?: number;
                /** @description Number of entries to skip */
                offset?: number;
            };
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of brains */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BrainPage"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "brains.create": {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    /**
                     * Format: uuid
                     * @description Id of the brain to work in, as `X-Brain-Id`. Where both are sent they must agree.
                     */
                    brain_id?: string;
                };
            };
        };
        responses: {
            /** @description The brain */
            201: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Brain"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["BodyTimeout"];
            /** @description The workspace cannot have more brains */
            409: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "brains.update": {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
            };
            path: {
                /** @description Id of the brain */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name?: string;
                    /**
                     * @description Makes it the brain in which credentials work that have no default of their own, within five seconds
                     * @enum {boolean}
                     */
                    is_default?: true;
                    /**
                     * Format: uuid
                     * @description The stakeholder map that the stakeholder routes show unless a request names one; a map of the brain or of the workspace. The first map of a brain becomes it. `null`: none, until the next map is made.
                     */
                    default_map_id?: string | null;
                    /**
                     * Format: uuid
                     * @description Id of the brain to work in, as `X-Brain-Id`. Where both are sent they must agree.
                     */
                    brain_id?: string;
                } | {
                    name: unknown;
                } | {
                    is_default: unknown;
                } | {
                    default_map_id: unknown;
                };
            };
        };
        responses: {
            /** @description The brain */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Brain"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["BodyTimeout"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "public.invokeReceptor": {
        parameters: {
            query?: {
                /** @description The share token */
                t?: string;
            };
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
                /** @description Repeating the request with the same key and body returns the same response for 24 hours */
                "Idempotency-Key"?: string;
            };
            path: {
                workspace_slug: string;
                slug: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The share token */
                    t?: string;
                    message: string;
                    /**
                     * Format: uuid
                     * @description The thread to continue. Default: a new thread.
                     */
                    trace_id?: string;
                    /**
                     * Format: uuid
                     * @description Id of the brain to work in, as `X-Brain-Id`. Where both are sent they must agree.
                     */
                    brain_id?: string;
                };
            };
        };
        responses: {
            /** @description The message is accepted */
            202: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunAccepted"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["BodyTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "public.getTrace": {
        parameters: {
            query?: {
                /** @description Page size */
                limit?: number;
                /** @description Number of entries to skip */
                offset?: number;
                /** @description The share token */
                t?: string;
            };
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The thread */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SharedTrace"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "public.continueTrace": {
        parameters: {
            query?: {
                /** @description The share token */
                t?: string;
            };
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
                /** @description Repeating the request with the same key and body returns the same response for 24 hours */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The share token */
                    t?: string;
                    message: string;
                    /**
                     * Format: uuid
                     * @description Id of the brain to work in, as `X-Brain-Id`. Where both are sent they must agree.
                     */
                    brain_id?: string;
                };
            };
        };
        responses: {
            /** @description The message is accepted */
            202: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunAccepted"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["BodyTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "public.streamJob": {
        parameters: {
            query?: {
                /** @description Sends only events after this stream id; beyond the end of a run, none */
                after?: string;
                /** @description The share token */
                t?: string;
                /** @description The same as `t` */
                share?: string;
                /** @description The thread of the job. Required with a token of a receptor, which may open several threads */
                trace?: string;
            };
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
            };
            path: {
                jobId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The events */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": components["schemas"]["PublicEvent"];
                };
            };
            /** @description The run has ended, and the client that reconnects with `Last-Event-ID` has all events */
            204: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "public.answer": {
        parameters: {
            query?: {
                /** @description The share token */
                t?: string;
            };
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
                /** @description Repeating the request with the same key and body returns the same response for 24 hours */
                "Idempotency-Key"?: string;
            };
            path: {
                jobId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The share token */
                    t?: string;
                    /**
                     * Format: uuid
                     * @description The thread of the job. Required with a token of a receptor, which may open several threads
                     */
                    trace?: string;
                    input: {
                        /** @enum {string} */
                        type: "intervention_response";
                        interventionId: string;
                        /** @enum {string} */
                        action: "approve" | "reject" | "submit_input" | "answer_questions" | "decline_questions";
                        comment?: string;
                        data?: unknown;
                        answers?: {
                            [key: string]: string;
                        };
                    };
                    /**
                     * Format: uuid
                     * @description Id of the brain to work in, as `X-Brain-Id`. Where both are sent they must agree.
                     */
                    brain_id?: string;
                };
            };
        };
        responses: {
            /** @description The answer was accepted */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SharedReply"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["BodyTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "neurons.list": {
        parameters: {
            query?: {
                /** @description Page size */
                limit?: number;
                /** @description Number of entries to skip */
                offset?: number;
                is_active?: "true" | "false";
                /** @description Only resources directly in this folder, such as /finance */
                path?: string;
            };
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of neurons */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NeuronPage"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "neurons.create": {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
                /** @description Repeating the request with the same key and body returns the same response for 24 hours */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    title: string;
                    slug?: string;
                    /** @description Folder, such as /finance/invoices; / is the root. At most 1,000 bytes of UTF-8. */
                    path?: string;
                    /**
                     * @description `workspace`, or `brain`: that of the brain context. `core` is refused with 403. Default of a new resource: `brain`.
                     * @enum {string}
                     */
                    scope?: "core" | "workspace" | "brain";
                    is_active?: boolean;
                    /** @description Reason for this version */
                    note?: string;
                    description?: string | null;
                    /**
                     * @default completion
                     * @enum {string}
                     */
                    neuron_type?: "completion" | "agent" | "extraction" | "router";
                    model?: string;
                    /** @default  */
                    instructions?: string;
                    variables?: {
                        [key: string]: unknown;
                    };
                    output_schema?: {
                        [key: string]: unknown;
                    };
                    routes?: {
                        name: string;
                        /** @default  */
                        description?: string;
                    }[];
                    tools?: {
                        reflex: string;
                        names?: string[];
                        with?: {
                            [key: string]: unknown;
                        };
                        approval?: ("never" | "always") | {
                            when?: string;
                            assignees?: string[];
                            title?: string;
                        };
                    }[];
                    skills?: string[];
                    allowed_hosts?: string[];
                    memory?: {
                        /** @default false */
                        recollect?: boolean;
                        /** @default 50 */
                        messages?: number;
                    };
                    temperature?: number;
                    max_output_tokens?: number;
                    /** @default 20 */
                    max_steps?: number;
                    budget_usd?: number;
                    /**
                     * Format: uuid
                     * @description Id of the brain to work in, as `X-Brain-Id`. Where both are sent they must agree.
                     */
                    brain_id?: string;
                };
            };
        };
        responses: {
            /** @description The fields of a neuron */
            201: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Neuron"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["BodyTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "neurons.get": {
        parameters: {
            query?: {
                /** @description Reads this version instead of the latest */
                version?: number;
            };
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
            };
            path: {
                /** @description Id or slug; a read also takes `<id or slug>@<version>` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The fields of a neuron */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Neuron"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "neurons.delete": {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
            };
            path: {
                /** @description Id or slug; a read also takes `<id or slug>@<version>` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted, although resources refer to it: `used_by` has the newest 50 of `total` */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeletedInUse"];
                };
            };
            /** @description Deleted; nothing refers to it */
            204: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["BodyTimeout"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "neurons.update": {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
                /** @description The expected current version. The request fails with 409 if the resource is at another version. */
                "If-Match"?: string;
            };
            path: {
                /** @description Id or slug; a read also takes `<id or slug>@<version>` */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    title?: string;
                    slug?: string;
                    /** @description Folder, such as /finance/invoices; / is the root. At most 1,000 bytes of UTF-8. */
                    path?: string;
                    /**
                     * @description `workspace`, or `brain`: that of the brain context. `core` is refused with 403. Default of a new resource: `brain`.
                     * @enum {string}
                     */
                    scope?: "core" | "workspace" | "brain";
                    is_active?: boolean;
                    /** @description Reason for this version */
                    note?: string;
                    description?: string | null;
                    /**
                     * @default completion
                     * @enum {string}
                     */
                    neuron_type?: "completion" | "agent" | "extraction" | "router";
                    model?: string;
                    /** @default  */
                    instructions?: string;
                    variables?: {
                        [key: string]: unknown;
                    };
                    output_schema?: {
                        [key: string]: unknown;
                    };
                    routes?: {
                        name: string;
                        /** @default  */
                        description?: string;
                    }[];
                    tools?: {
                        reflex: string;
                        names?: string[];
                        with?: {
                            [key: string]: unknown;
                        };
                        approval?: ("never" | "always") | {
                            when?: string;
                            assignees?: string[];
                            title?: string;
                        };
                    }[];
                    skills?: string[];
                    allowed_hosts?: string[];
                    memory?: {
                        /** @default false */
                        recollect?: boolean;
                        /** @default 50 */
                        messages?: number;
                    };
                    temperature?: number;
                    max_output_tokens?: number;
                    /** @default 20 */
                    max_steps?: number;
                    budget_usd?: number;
                    /** @description The request fails with 409 unless this is the latest version */
                    expected_version?: number;
                    /**
                     * Format: uuid
                     * @description Id of the brain to work in, as `X-Brain-Id`. Where both are sent they must agree.
                     */
                    brain_id?: string;
                } | {
                    title: unknown;
                } | {
                    slug: unknown;
                } | {
                    path: unknown;
                } | {
                    scope: unknown;
                } | {
                    is_active: unknown;
                } | {
                    note: unknown;
                } | {
                    description: unknown;
                } | {
                    neuron_type: unknown;
                } | {
                    model: unknown;
                } | {
                    instructions: unknown;
                } | {
                    variables: unknown;
                } | {
                    output_schema: unknown;
                } | {
                    routes: unknown;
                } | {
                    tools: unknown;
                } | {
                    skills: unknown;
                } | {
                    allowed_hosts: unknown;
                } | {
                    memory: unknown;
                } | {
                    temperature: unknown;
                } | {
                    max_output_tokens: unknown;
                } | {
                    max_steps: unknown;
                } | {
                    budget_usd: unknown;
                };
            };
        };
        responses: {
            /** @description The fields of a neuron */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Neuron"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["BodyTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "neurons.restore": {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
            };
            path: {
                /** @description Id or slug; a read also takes `<id or slug>@<version>` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description The version to go back to */
                    version?: number;
                    /** @description Reason for this version */
                    note?: string;
                    /**
                     * Format: uuid
                     * @description Id of the brain to work in, as `X-Brain-Id`. Where both are sent they must agree.
                     */
                    brain_id?: string;
                };
            };
        };
        responses: {
            /** @description The fields of a neuron */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Neuron"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["BodyTimeout"];
            /** @description Another resource has the slug by now */
            409: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "neurons.history": {
        parameters: {
            query?: {
                /** @description Page size */
                limit?: number;
                /** @description Number of entries to skip */
                offset?: number;
            };
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
            };
            path: {
                /** @description Id or slug; a read also takes `<id or slug>@<version>` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of versions */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VersionPage"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "neurons.usedBy": {
        parameters: {
            query?: {
                /** @description Page size */
                limit?: number;
                /** @description Number of entries to skip */
                offset?: number;
            };
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
            };
            path: {
                /** @description Id or slug; a read also takes `<id or slug>@<version>` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of resources */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReferringResourcePage"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "neurons.diff": {
        parameters: {
            query: {
                /** @description A version number, or `live` for the latest version */
                from: "live" | number;
                /** @description A version number, or `live` for the latest version */
                to: "live" | number;
            };
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
            };
            path: {
                /** @description Id or slug; a read also takes `<id or slug>@<version>` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The differences as an RFC 6902 patch in the shape of the catalog */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Diff"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "neurons.invoke": {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
                /** @description Repeating the request with the same key and body returns the same response for 24 hours */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Id or slug; a read also takes `<id or slug>@<version>` */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    message?: string;
                    messages?: {
                        /** @enum {string} */
                        role: "user" | "assistant";
                        content: string;
                    }[];
                    /** @description Values of the variables in the instructions */
                    variables?: {
                        [key: string]: unknown;
                    };
                    /**
                     * Format: uuid
                     * @description The thread to continue. Default: a new thread.
                     */
                    trace_id?: string;
                    /**
                     * @description Returns 202 immediately, with the job to follow
                     * @default false
                     */
                    stream?: boolean;
                    neuron_task_options?: {
                        /**
                         * @description Type of the thread: `user` (the default), or `system`, which is not in the default list of threads. An existing thread keeps its type: another one is refused with 400.
                         * @enum {string}
                         */
                        trace_type?: "user" | "system";
                        /** @description Replaces the budget of the neuron */
                        budget_usd?: number;
                        max_steps?: number;
                    };
                    /**
                     * Format: uuid
                     * @description Id of the brain to work in, as `X-Brain-Id`. Where both are sent they must agree.
                     */
                    brain_id?: string;
                } & ({
                    message: unknown;
                } | {
                    messages: unknown;
                });
            };
        };
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Answer"];
                };
            };
            /** @description The run is still in progress, or waits for a person */
            202: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenRun"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["BodyTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            /** @description The run failed; the message has its id and the reason */
            502: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            503: components["responses"]["Unavailable"];
        };
    };
    "receptors.list": {
        parameters: {
            query?: {
                /** @description Page size */
                limit?: number;
                /** @description Number of entries to skip */
                offset?: number;
                is_active?: "true" | "false";
                /** @description Only resources directly in this folder, such as /finance */
                path?: string;
            };
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of receptors */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReceptorPage"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "receptors.create": {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
                /** @description Repeating the request with the same key and body returns the same response for 24 hours */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    title: string;
                    slug?: string;
                    /** @description Folder, such as /finance/invoices; / is the root. At most 1,000 bytes of UTF-8. */
                    path?: string;
                    /**
                     * @description `workspace`, or `brain`: that of the brain context. `core` is refused with 403. Default of a new resource: `brain`.
                     * @enum {string}
                     */
                    scope?: "core" | "workspace" | "brain";
                    is_active?: boolean;
                    /** @description Reason for this version */
                    note?: string;
                    description?: string | null;
                    target: {
                        /** @enum {string} */
                        type: "neuron" | "pathway";
                        ref: string;
                    };
                    greeting?: string | null;
                    /**
                     * Format: uuid
                     * @description Id of the brain to work in, as `X-Brain-Id`. Where both are sent they must agree.
                     */
                    brain_id?: string;
                };
            };
        };
        responses: {
            /** @description The fields of a receptor */
            201: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Receptor"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["BodyTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "receptors.get": {
        parameters: {
            query?: {
                /** @description Reads this version instead of the latest */
                version?: number;
            };
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
            };
            path: {
                /** @description Id or slug; a read also takes `<id or slug>@<version>` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The fields of a receptor */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WrappedReceptor"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "receptors.delete": {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
            };
            path: {
                /** @description Id or slug; a read also takes `<id or slug>@<version>` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted, although resources refer to it: `used_by` has the newest 50 of `total` */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeletedInUse"];
                };
            };
            /** @description Deleted; nothing refers to it */
            204: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["BodyTimeout"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "receptors.update": {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
                /** @description The expected current version. The request fails with 409 if the resource is at another version. */
                "If-Match"?: string;
            };
            path: {
                /** @description Id or slug; a read also takes `<id or slug>@<version>` */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    title?: string;
                    slug?: string;
                    /** @description Folder, such as /finance/invoices; / is the root. At most 1,000 bytes of UTF-8. */
                    path?: string;
                    /**
                     * @description `workspace`, or `brain`: that of the brain context. `core` is refused with 403. Default of a new resource: `brain`.
                     * @enum {string}
                     */
                    scope?: "core" | "workspace" | "brain";
                    is_active?: boolean;
                    /** @description Reason for this version */
                    note?: string;
                    description?: string | null;
                    target?: {
                        /** @enum {string} */
                        type: "neuron" | "pathway";
                        ref: string;
                    };
                    greeting?: string | null;
                    /** @description The request fails with 409 unless this is the latest version */
                    expected_version?: number;
                    /**
                     * Format: uuid
                     * @description Id of the brain to work in, as `X-Brain-Id`. Where both are sent they must agree.
                     */
                    brain_id?: string;
                } | {
                    title: unknown;
                } | {
                    slug: unknown;
                } | {
                    path: unknown;
                } | {
                    scope: unknown;
                } | {
                    is_active: unknown;
                } | {
                    note: unknown;
                } | {
                    description: unknown;
                } | {
                    target: unknown;
                } | {
                    greeting: unknown;
                };
            };
        };
        responses: {
            /** @description The fields of a receptor */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Receptor"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["BodyTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "receptors.restore": {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
            };
            path: {
                /** @description Id or slug; a read also takes `<id or slug>@<version>` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description The version to go back to */
                    version?: number;
                    /** @description Reason for this version */
                    note?: string;
                    /**
                     * Format: uuid
                     * @description Id of the brain to work in, as `X-Brain-Id`. Where both are sent they must agree.
                     */
                    brain_id?: string;
                };
            };
        };
        responses: {
            /** @description The fields of a receptor */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Receptor"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["BodyTimeout"];
            /** @description Another resource has the slug by now */
            409: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "receptors.history": {
        parameters: {
            query?: {
                /** @description Page size */
                limit?: number;
                /** @description Number of entries to skip */
                offset?: number;
            };
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
            };
            path: {
                /** @description Id or slug; a read also takes `<id or slug>@<version>` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of versions */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VersionPage"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "receptors.usedBy": {
        parameters: {
            query?: {
                /** @description Page size */
                limit?: number;
                /** @description Number of entries to skip */
                offset?: number;
            };
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
            };
            path: {
                /** @description Id or slug; a read also takes `<id or slug>@<version>` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of resources */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReferringResourcePage"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "receptors.diff": {
        parameters: {
            query: {
                /** @description A version number, or `live` for the latest version */
                from: "live" | number;
                /** @description A version number, or `live` for the latest version */
                to: "live" | number;
            };
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
            };
            path: {
                /** @description Id or slug; a read also takes `<id or slug>@<version>` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The differences as an RFC 6902 patch in the shape of the catalog */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Diff"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "receptors.invoke": {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
                /** @description Repeating the request with the same key and body returns the same response for 24 hours */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Slug or id of the workspace of the caller */
                workspace_slug: string;
                slug_or_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    message: string;
                    /**
                     * Format: uuid
                     * @description The thread to continue. Default: a new thread.
                     */
                    trace_id?: string;
                    /**
                     * @description Returns 202 immediately, with the job to follow
                     * @default false
                     */
                    stream?: boolean;
                    neuron_task_options?: {
                        /**
                         * @description Type of the thread: `user` (the default), or `system`, which is not in the default list of threads. An existing thread keeps its type: another one is refused with 400.
                         * @enum {string}
                         */
                        trace_type?: "user" | "system";
                        /** @description Replaces the budget of the neuron */
                        budget_usd?: number;
                        max_steps?: number;
                    };
                    /**
                     * Format: uuid
                     * @description Id of the brain to work in, as `X-Brain-Id`. Where both are sent they must agree.
                     */
                    brain_id?: string;
                };
            };
        };
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Answer"];
                };
            };
            /** @description The run is still in progress, or waits for a person */
            202: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenRun"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["BodyTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            /** @description The run failed; the message has its id and the reason */
            502: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            503: components["responses"]["Unavailable"];
        };
    };
    "skills.list": {
        parameters: {
            query?: {
                /** @description Page size */
                limit?: number;
                /** @description Number of entries to skip */
                offset?: number;
                is_active?: "true" | "false";
                /** @description Only resources directly in this folder, such as /finance */
                path?: string;
            };
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of skills */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SkillPage"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "skills.create": {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
                /** @description Repeating the request with the same key and body returns the same response for 24 hours */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    title: string;
                    slug?: string;
                    /** @description Folder, such as /finance/invoices; / is the root. At most 1,000 bytes of UTF-8. */
                    path?: string;
                    /**
                     * @description `workspace`, or `brain`: that of the brain context. `core` is refused with 403. Default of a new resource: `brain`.
                     * @enum {string}
                     */
                    scope?: "core" | "workspace" | "brain";
                    is_active?: boolean;
                    /** @description Reason for this version */
                    note?: string;
                    description?: string | null;
                    /** @default  */
                    instructions?: string;
                    files?: {
                        name: string;
                        text: string;
                    }[];
                    /**
                     * Format: uuid
                     * @description Id of the brain to work in, as `X-Brain-Id`. Where both are sent they must agree.
                     */
                    brain_id?: string;
                };
            };
        };
        responses: {
            /** @description The fields of a skill */
            201: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Skill"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["BodyTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "skills.get": {
        parameters: {
            query?: {
                /** @description Reads this version instead of the latest */
                version?: number;
            };
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
            };
            path: {
                /** @description Id or slug; a read also takes `<id or slug>@<version>` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The fields of a skill */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Skill"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "skills.delete": {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
            };
            path: {
                /** @description Id or slug; a read also takes `<id or slug>@<version>` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted, although resources refer to it: `used_by` has the newest 50 of `total` */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeletedInUse"];
                };
            };
            /** @description Deleted; nothing refers to it */
            204: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["BodyTimeout"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "skills.update": {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
                /** @description The expected current version. The request fails with 409 if the resource is at another version. */
                "If-Match"?: string;
            };
            path: {
                /** @description Id or slug; a read also takes `<id or slug>@<version>` */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    title?: string;
                    slug?: string;
                    /** @description Folder, such as /finance/invoices; / is the root. At most 1,000 bytes of UTF-8. */
                    path?: string;
                    /**
                     * @description `workspace`, or `brain`: that of the brain context. `core` is refused with 403. Default of a new resource: `brain`.
                     * @enum {string}
                     */
                    scope?: "core" | "workspace" | "brain";
                    is_active?: boolean;
                    /** @description Reason for this version */
                    note?: string;
                    description?: string | null;
                    /** @default  */
                    instructions?: string;
                    files?: {
                        name: string;
                        text: string;
                    }[];
                    /** @description The request fails with 409 unless this is the latest version */
                    expected_version?: number;
                    /**
                     * Format: uuid
                     * @description Id of the brain to work in, as `X-Brain-Id`. Where both are sent they must agree.
                     */
                    brain_id?: string;
                } | {
                    title: unknown;
                } | {
                    slug: unknown;
                } | {
                    path: unknown;
                } | {
                    scope: unknown;
                } | {
                    is_active: unknown;
                } | {
                    note: unknown;
                } | {
                    description: unknown;
                } | {
                    instructions: unknown;
                } | {
                    files: unknown;
                };
            };
        };
        responses: {
            /** @description The fields of a skill */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Skill"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["BodyTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "skills.restore": {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
            };
            path: {
                /** @description Id or slug; a read also takes `<id or slug>@<version>` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description The version to go back to */
                    version?: number;
                    /** @description Reason for this version */
                    note?: string;
                    /**
                     * Format: uuid
                     * @description Id of the brain to work in, as `X-Brain-Id`. Where both are sent they must agree.
                     */
                    brain_id?: string;
                };
            };
        };
        responses: {
            /** @description The fields of a skill */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Skill"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["BodyTimeout"];
            /** @description Another resource has the slug by now */
            409: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "skills.history": {
        parameters: {
            query?: {
                /** @description Page size */
                limit?: number;
                /** @description Number of entries to skip */
                offset?: number;
            };
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
            };
            path: {
                /** @description Id or slug; a read also takes `<id or slug>@<version>` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of versions */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VersionPage"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "skills.usedBy": {
        parameters: {
            query?: {
                /** @description Page size */
                limit?: number;
                /** @description Number of entries to skip */
                offset?: number;
            };
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
            };
            path: {
                /** @description Id or slug; a read also takes `<id or slug>@<version>` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of resources */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReferringResourcePage"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "skills.diff": {
        parameters: {
            query: {
                /** @description A version number, or `live` for the latest version */
                from: "live" | number;
                /** @description A version number, or `live` for the latest version */
                to: "live" | number;
            };
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
            };
            path: {
                /** @description Id or slug; a read also takes `<id or slug>@<version>` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The differences as an RFC 6902 patch in the shape of the catalog */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Diff"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "chat.send": {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
                /** @description Repeating the request with the same key and body returns the same response for 24 hours */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Id of the thread, or `new` to create one. A message with a neuron, receptor or pathway creates a thread with a UUID of your own */
                traceId: "new" | string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    message: string;
                    /** @description Id or slug of the neuron that answers */
                    neuron?: string;
                    receptor?: string;
                    /** @description Id or slug of a pathway with the input {message, trace_id}. Needs the permission jobs:start. */
                    pathway?: string;
                    neuron_task_options?: {
                        /**
                         * @description Type of the thread: `user` (the default), or `system`, which is not in the default list of threads. An existing thread keeps its type: another one is refused with 400.
                         * @enum {string}
                         */
                        trace_type?: "user" | "system";
                        /** @description Replaces the budget of the neuron */
                        budget_usd?: number;
                        max_steps?: number;
                    };
                    /**
                     * Format: uuid
                     * @description Id of the brain to work in, as `X-Brain-Id`. Where both are sent they must agree.
                     */
                    brain_id?: string;
                };
            };
        };
        responses: {
            /** @description The message is accepted */
            202: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunAccepted"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["BodyTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "traces.list": {
        parameters: {
            query?: {
                /** @description Page size */
                limit?: number;
                /** @description Number of entries to skip */
                offset?: number;
                /** @description Default: `user` */
                trace_type?: "user" | "system";
                /** @description Owner of the threads; `all` for every owner. Default: the caller. */
                actor?: string;
            };
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of threads */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TracePage"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "traces.get": {
        parameters: {
            query?: {
                /** @description Page size */
                limit?: number;
                /** @description Number of entries to skip */
                offset?: number;
            };
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The thread */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Thread"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "traces.delete": {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted; the job removes the content */
            202: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobAccepted"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["BodyTimeout"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "usage.get": {
        parameters: {
            query?: {
                /** @description Start time. Default: the beginning of the current month (UTC). */
                from?: string;
                /** @description End time, exclusive. Default: now. */
                to?: string;
                group_by?: "day" | "kind" | "model" | "neuron" | "pathway" | "job";
                /** @description Page size */
                limit?: number;
                /** @description Number of entries to skip */
                offset?: number;
            };
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Aggregated usage */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Usage"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "activity.list": {
        parameters: {
            query?: {
                /** @description Who made the change, such as `user:ann` or `key:<name>` */
                actor?: string;
                /** @description Such as `pathway.update` or `job.cancel` */
                action?: string;
                /** @description The first word of the action, such as `pathway` */
                target_type?: string;
                target_id?: string;
                /** @description Start time, inclusive */
                from?: string;
                /** @description End time, exclusive */
                to?: string;
                /** @description Page size */
                limit?: number;
                /** @description Number of entries to skip */
                offset?: number;
            };
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of changes */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ActivityEntryPage"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "recollections.list": {
        parameters: {
            query?: {
                /** @description Page size */
                limit?: number;
                /** @description Number of entries to skip */
                offset?: number;
                /** @description Id or slug of the neuron */
                neuron?: string;
            };
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of recollections */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecollectionPage"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description The neuron does not exist */
            404: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "recollections.create": {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
                /** @description Repeating the request with the same key and body returns the same response for 24 hours */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Id or slug of the neuron */
                    neuron: string;
                    text: string;
                    /**
                     * Format: uuid
                     * @description Id of the brain to work in, as `X-Brain-Id`. Where both are sent they must agree.
                     */
                    brain_id?: string;
                };
            };
        };
        responses: {
            /** @description The recollection */
            201: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Recollection"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description The neuron does not exist */
            404: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            408: components["responses"]["BodyTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "recollections.search": {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Id or slug of the neuron */
                    neuron: string;
                    /** @description Keywords or a question; the first 256 words are used */
                    query: string;
                    /** @default 20 */
                    limit?: number;
                    /**
                     * Format: uuid
                     * @description Id of the brain to work in, as `X-Brain-Id`. Where both are sent they must agree.
                     */
                    brain_id?: string;
                };
            };
        };
        responses: {
            /** @description The matches, best first */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecollectionMatches"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description The neuron does not exist */
            404: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            408: components["responses"]["BodyTimeout"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "recollections.delete": {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted */
            204: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["BodyTimeout"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "pathways.list": {
        parameters: {
            query?: {
                /** @description Page size */
                limit?: number;
                /** @description Number of entries to skip */
                offset?: number;
                is_active?: "true" | "false";
                /** @description Only resources directly in this folder, such as /finance */
                path?: string;
            };
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of pathways */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PathwayPage"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "pathways.create": {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
                /** @description Repeating the request with the same key and body returns the same response for 24 hours */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    title: string;
                    slug?: string;
                    /** @description Folder, such as /finance/invoices; / is the root. At most 1,000 bytes of UTF-8. */
                    path?: string;
                    /**
                     * @description `workspace`, or `brain`: that of the brain context. `core` is refused with 403. Default of a new resource: `brain`.
                     * @enum {string}
                     */
                    scope?: "core" | "workspace" | "brain";
                    is_active?: boolean;
                    /** @description Reason for this version */
                    note?: string;
                    description?: string | null;
                    /** @description A graph in the format pathway/1; problems are listed by JSON pointer */
                    definition: components["schemas"]["PathwayDefinition"];
                    /**
                     * Format: uuid
                     * @description Id of the brain to work in, as `X-Brain-Id`. Where both are sent they must agree.
                     */
                    brain_id?: string;
                };
            };
        };
        responses: {
            /** @description The fields of a pathway */
            201: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Pathway"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["BodyTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "pathways.get": {
        parameters: {
            query?: {
                /** @description Reads this version instead of the latest */
                version?: number;
            };
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
            };
            path: {
                /** @description Id or slug; a read also takes `<id or slug>@<version>` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The fields of a pathway */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Pathway"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "pathways.delete": {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
            };
            path: {
                /** @description Id or slug; a read also takes `<id or slug>@<version>` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted, although resources refer to it: `used_by` has the newest 50 of `total` */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeletedInUse"];
                };
            };
            /** @description Deleted; nothing refers to it */
            204: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["BodyTimeout"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "pathways.update": {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
                /** @description The expected current version. The request fails with 409 if the resource is at another version. */
                "If-Match"?: string;
            };
            path: {
                /** @description Id or slug; a read also takes `<id or slug>@<version>` */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    title?: string;
                    slug?: string;
                    /** @description Folder, such as /finance/invoices; / is the root. At most 1,000 bytes of UTF-8. */
                    path?: string;
                    /**
                     * @description `workspace`, or `brain`: that of the brain context. `core` is refused with 403. Default of a new resource: `brain`.
                     * @enum {string}
                     */
                    scope?: "core" | "workspace" | "brain";
                    is_active?: boolean;
                    /** @description Reason for this version */
                    note?: string;
                    description?: string | null;
                    /** @description A graph in the format pathway/1; problems are listed by JSON pointer */
                    definition?: components["schemas"]["PathwayDefinition"];
                    /** @description The request fails with 409 unless this is the latest version */
                    expected_version?: number;
                    /**
                     * Format: uuid
                     * @description Id of the brain to work in, as `X-Brain-Id`. Where both are sent they must agree.
                     */
                    brain_id?: string;
                } | {
                    title: unknown;
                } | {
                    slug: unknown;
                } | {
                    path: unknown;
                } | {
                    scope: unknown;
                } | {
                    is_active: unknown;
                } | {
                    note: unknown;
                } | {
                    description: unknown;
                } | {
                    definition: unknown;
                };
            };
        };
        responses: {
            /** @description The fields of a pathway */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Pathway"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["BodyTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "pathways.restore": {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
            };
            path: {
                /** @description Id or slug; a read also takes `<id or slug>@<version>` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description The version to go back to */
                    version?: number;
                    /** @description Reason for this version */
                    note?: string;
                    /**
                     * Format: uuid
                     * @description Id of the brain to work in, as `X-Brain-Id`. Where both are sent they must agree.
                     */
                    brain_id?: string;
                };
            };
        };
        responses: {
            /** @description The fields of a pathway */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Pathway"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["BodyTimeout"];
            /** @description Another resource has the slug by now */
            409: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "pathways.history": {
        parameters: {
            query?: {
                /** @description Page size */
                limit?: number;
                /** @description Number of entries to skip */
                offset?: number;
            };
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
            };
            path: {
                /** @description Id or slug; a read also takes `<id or slug>@<version>` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of versions */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VersionPage"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "pathways.usedBy": {
        parameters: {
            query?: {
                /** @description Page size */
                limit?: number;
                /** @description Number of entries to skip */
                offset?: number;
            };
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
            };
            path: {
                /** @description Id or slug; a read also takes `<id or slug>@<version>` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of resources */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReferringResourcePage"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "pathways.diff": {
        parameters: {
            query: {
                /** @description A version number, or `live` for the latest version */
                from: "live" | number;
                /** @description A version number, or `live` for the latest version */
                to: "live" | number;
            };
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
            };
            path: {
                /** @description Id or slug; a read also takes `<id or slug>@<version>` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The differences as an RFC 6902 patch in the shape of the catalog */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Diff"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "pathways.validate": {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description A graph in the format pathway/1; problems are listed by JSON pointer */
                    definition: components["schemas"]["PathwayDefinition"];
                    /**
                     * Format: uuid
                     * @description Id of the brain to work in, as `X-Brain-Id`. Where both are sent they must agree.
                     */
                    brain_id?: string;
                };
            };
        };
        responses: {
            /** @description The problems, none for a valid definition */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PathwayValidation"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["BodyTimeout"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "pathways.dryRunDefinition": {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    input?: unknown;
                    /** @description Mock outputs, by node id or key */
                    outputs?: {
                        [key: string]: unknown;
                    };
                    /** @description A graph in the format pathway/1; problems are listed by JSON pointer */
                    definition: components["schemas"]["PathwayDefinition"];
                    /**
                     * Format: uuid
                     * @description Id of the brain to work in, as `X-Brain-Id`. Where both are sent they must agree.
                     */
                    brain_id?: string;
                };
            };
        };
        responses: {
            /** @description The nodes that would run */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DryRun"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["BodyTimeout"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "pathways.dryRun": {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
            };
            path: {
                /** @description Id or slug; a read also takes `<id or slug>@<version>` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    input?: unknown;
                    /** @description Mock outputs, by node id or key */
                    outputs?: {
                        [key: string]: unknown;
                    };
                    /** @description Simulates this definition instead of the stored one */
                    definition?: components["schemas"]["PathwayDefinition"];
                    /**
                     * Format: uuid
                     * @description Id of the brain to work in, as `X-Brain-Id`. Where both are sent they must agree.
                     */
                    brain_id?: string;
                };
            };
        };
        responses: {
            /** @description The nodes that would run */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DryRun"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["BodyTimeout"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "pathways.execute": {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
                /** @description Repeating the request with the same key and body returns the same response for 24 hours */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Id or slug; a read also takes `<id or slug>@<version>` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    input?: unknown;
                    data?: unknown;
                    /**
                     * Format: uuid
                     * @description Id of the brain to work in, as `X-Brain-Id`. Where both are sent they must agree.
                     */
                    brain_id?: string;
                };
            };
        };
        responses: {
            /** @description The run is accepted */
            202: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobAccepted"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["BodyTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "jobs.list": {
        parameters: {
            query?: {
                kind?: "pathway" | "neuron" | "ingest" | "search" | "discover" | "tool" | "transcribe" | "meeting" | "purge" | "bulk";
                /** @description Id or slug of a stored pathway */
                pathway_id?: string;
                /** @description A part of the title or the slug of the pathway, in upper or lower case */
                pathway?: string;
                /** @description Id or slug of a receptor */
                receptor_id?: string;
                /** @description Id or slug of a stored neuron */
                neuron_id?: string;
                /** @description Id or slug of a trigger */
                trigger_id?: string;
                trace_id?: string;
                /** @description Code of the error of failed jobs, such as TIMEOUT */
                error_code?: string;
                /** @description Who started the job, such as user:ann */
                requester?: string;
                /** @description The beginning of who started the job, with or without its kind: `user:an` or `an` */
                started_by?: string;
                /** @description A part of the title, in upper or lower case */
                title?: string;
                /** @description A part of the title or of the input, in upper or lower case. Inputs of more than 16 kB are not searched */
                text?: string;
                /** @description false: without the runs that other runs have started */
                child_runs?: "true" | "false";
                created_after?: string;
                created_before?: string;
                /** @description One or more, separated by commas */
                status?: ("pending" | "running" | "waiting" | "paused" | "completed" | "failed")[];
                /** @description How jobs have ended; `open` for those that have not. Cancelled jobs have the status `failed` and the outcome `cancelled`. One or more, separated by commas */
                outcome?: ("open" | "completed" | "failed" | "cancelled")[];
                /** @description By default the newest first. An open job has taken as long as it is open */
                sort?: "newest" | "oldest" | "longest" | "costliest";
                /** @description Page size */
                limit?: number;
                /** @description Number of entries to skip */
                offset?: number;
            };
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of jobs */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobPage"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "jobs.start": {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
                /** @description Repeating the request with the same key and body returns the same response for 24 hours */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Id or slug of a stored pathway */
                    pathway_id?: string;
                    /** @description An inline definition, instead of pathway_id. Needs definitions:run. */
                    pathway?: components["schemas"]["PathwayDefinition"];
                    input?: unknown;
                    /** @description Alias of `input` */
                    data?: unknown;
                    /**
                     * Format: uuid
                     * @description Id of the brain to work in, as `X-Brain-Id`. Where both are sent they must agree.
                     */
                    brain_id?: string;
                } & ({
                    pathway_id: unknown;
                } | {
                    pathway: unknown;
                });
            };
        };
        responses: {
            /** @description The run is accepted */
            202: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobAccepted"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description The pathway or its version does not exist */
            404: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            408: components["responses"]["BodyTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "jobs.bulk": {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
                /** @description Repeating the request with the same key and body returns the same response for 24 hours */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    operation: "cancel" | "pause" | "resume" | "retry" | "migrate";
                    /** @description The filters of `GET /v1/jobs`. Bulk jobs are meant only with the kind `bulk` */
                    filter: {
                        /** @enum {string} */
                        kind?: "pathway" | "neuron" | "ingest" | "search" | "discover" | "tool" | "transcribe" | "meeting" | "purge" | "bulk";
                        /** @description Id or slug of a stored pathway */
                        pathway_id?: string;
                        /** @description A part of the title or the slug of the pathway, in upper or lower case */
                        pathway?: string;
                        /** @description Id or slug of a receptor */
                        receptor_id?: string;
                        /** @description Id or slug of a stored neuron */
                        neuron_id?: string;
                        /** @description Id or slug of a trigger */
                        trigger_id?: string;
                        trace_id?: string;
                        /** @description Code of the error of failed jobs, such as TIMEOUT */
                        error_code?: string;
                        /** @description Who started the job, such as user:ann */
                        requester?: string;
                        /** @description The beginning of who started the job, with or without its kind: `user:an` or `an` */
                        started_by?: string;
                        /** @description A part of the title, in upper or lower case */
                        title?: string;
                        /** @description A part of the title or of the input, in upper or lower case. Inputs of more than 16 kB are not searched */
                        text?: string;
                        /** @description false: without the runs that other runs have started */
                        child_runs?: boolean;
                        /** Format: date-time */
                        created_after?: string;
                        /** Format: date-time */
                        created_before?: string;
                        status?: ("pending" | "running" | "waiting" | "paused" | "completed" | "failed")[];
                        /** @description How jobs have ended; `open` for those that have not. Cancelled jobs have the status `failed` and the outcome `cancelled` */
                        outcome?: ("open" | "completed" | "failed" | "cancelled")[];
                    };
                    /** @description What the operation takes beside the runs: `migrate` takes `to_version` */
                    options?: {
                        [key: string]: unknown;
                    };
                    /** @description true: says what the job would do, and starts nothing */
                    dry_run?: boolean;
                    /** @description Runs a second, at most. By default 10 */
                    per_second?: number;
                    /** @description true: needed for a filter that leaves out no run to which the operation applies */
                    confirm?: boolean;
                    /** @description Shown with the job, and in the audit log with each run */
                    reason?: string;
                    /**
                     * Format: uuid
                     * @description Id of the brain to work in, as `X-Brain-Id`. Where both are sent they must agree.
                     */
                    brain_id?: string;
                };
            };
        };
        responses: {
            /** @description What the job would do, for a dry run */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BulkPreview"];
                };
            };
            /** @description The job is accepted */
            202: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobAccepted"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["BodyTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "jobs.counts": {
        parameters: {
            query?: {
                kind?: "pathway" | "neuron" | "ingest" | "search" | "discover" | "tool" | "transcribe" | "meeting" | "purge" | "bulk";
                /** @description Id or slug of a stored pathway */
                pathway_id?: string;
                /** @description A part of the title or the slug of the pathway, in upper or lower case */
                pathway?: string;
                /** @description Id or slug of a receptor */
                receptor_id?: string;
                /** @description Id or slug of a stored neuron */
                neuron_id?: string;
                /** @description Id or slug of a trigger */
                trigger_id?: string;
                trace_id?: string;
                /** @description Code of the error of failed jobs, such as TIMEOUT */
                error_code?: string;
                /** @description Who started the job, such as user:ann */
                requester?: string;
                /** @description The beginning of who started the job, with or without its kind: `user:an` or `an` */
                started_by?: string;
                /** @description A part of the title, in upper or lower case */
                title?: string;
                /** @description A part of the title or of the input, in upper or lower case. Inputs of more than 16 kB are not searched */
                text?: string;
                /** @description false: without the runs that other runs have started */
                child_runs?: "true" | "false";
                created_after?: string;
                created_before?: string;
            };
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The numbers of jobs */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobCounts"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "jobs.causes": {
        parameters: {
            query?: {
                kind?: "pathway" | "neuron" | "ingest" | "search" | "discover" | "tool" | "transcribe" | "meeting" | "purge" | "bulk";
                /** @description Id or slug of a stored pathway */
                pathway_id?: string;
                /** @description A part of the title or the slug of the pathway, in upper or lower case */
                pathway?: string;
                /** @description Id or slug of a receptor */
                receptor_id?: string;
                /** @description Id or slug of a stored neuron */
                neuron_id?: string;
                /** @description Id or slug of a trigger */
                trigger_id?: string;
                trace_id?: string;
                /** @description Code of the error of failed jobs, such as TIMEOUT */
                error_code?: string;
                /** @description Who started the job, such as user:ann */
                requester?: string;
                /** @description The beginning of who started the job, with or without its kind: `user:an` or `an` */
                started_by?: string;
                /** @description A part of the title, in upper or lower case */
                title?: string;
                /** @description A part of the title or of the input, in upper or lower case. Inputs of more than 16 kB are not searched */
                text?: string;
                /** @description false: without the runs that other runs have started */
                child_runs?: "true" | "false";
                created_after?: string;
                created_before?: string;
                /** @description One or more, separated by commas */
                status?: ("pending" | "running" | "waiting" | "paused" | "completed" | "failed")[];
                /** @description How jobs have ended; `open` for those that have not. Cancelled jobs have the status `failed` and the outcome `cancelled`. One or more, separated by commas */
                outcome?: ("open" | "completed" | "failed" | "cancelled")[];
            };
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The numbers of jobs */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DiagnosisCounts"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "jobs.get": {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
            };
            path: {
                jobId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The job and its nodes */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobDetail"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "jobs.purge": {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
            };
            path: {
                jobId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Accepted; the job removes the content */
            202: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobAccepted"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["BodyTimeout"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "jobs.definition": {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
            };
            path: {
                jobId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The pathway with its definition */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunDefinition"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "jobs.diagnosis": {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
            };
            path: {
                jobId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The diagnosis */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Diagnosis"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "jobs.status": {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
            };
            path: {
                jobId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The job */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Job"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "jobs.stream": {
        parameters: {
            query?: {
                /** @description Sends only events after this stream id; beyond the end of a run, none */
                after?: string;
            };
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
            };
            path: {
                jobId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The events */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": components["schemas"]["JobEvent"];
                };
            };
            /** @description The run has ended, and the client that reconnects with `Last-Event-ID` has all events */
            204: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "jobs.cancel": {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
            };
            path: {
                jobId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description Id of the brain to work in, as `X-Brain-Id`. Where both are sent they must agree.
                     */
                    brain_id?: string;
                };
            };
        };
        responses: {
            /** @description The job is cancelled */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CancelledJob"];
                };
            };
            /** @description The run has not responded yet. It stops as soon as it does. */
            202: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CancelledJob"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["BodyTimeout"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "jobs.pause": {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
            };
            path: {
                jobId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description Id of the brain to work in, as `X-Brain-Id`. Where both are sent they must agree.
                     */
                    brain_id?: string;
                };
            };
        };
        responses: {
            /** @description The job is paused */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobState"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["BodyTimeout"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "jobs.resume": {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
                /** @description Repeating the request with the same key and body returns the same response for 24 hours */
                "Idempotency-Key"?: string;
            };
            path: {
                jobId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description Name of the event that a wait node waits for */
                    event?: string;
                    /** @description Output of the wait node; only with `event` */
                    data?: unknown;
                    /**
                     * Format: uuid
                     * @description Id of the brain to work in, as `X-Brain-Id`. Where both are sent they must agree.
                     */
                    brain_id?: string;
                };
            };
        };
        responses: {
            /** @description Status of the job */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResumedJob"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["BodyTimeout"];
            /** @description The job waits for answers of people; the message names them */
            409: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "jobs.fork": {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
                /** @description Repeating the request with the same key and body returns the same response for 24 hours */
                "Idempotency-Key"?: string;
            };
            path: {
                jobId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description Key of the node from which the fork goes on; that of an iteration is each[3]/fetch, that of a step of an agent step-2
                     * @example review
                     */
                    from_node: string;
                    /** @description The input of the fork, instead of that of the run */
                    input?: unknown;
                    /** @description Outputs by node key, instead of those of nodes that the fork takes over */
                    outputs?: {
                        [key: string]: unknown;
                    };
                    /** @description By default the version of the run */
                    pathway_version?: number;
                    /** @description true: lists what the fork would do, and starts nothing */
                    dry_run?: boolean;
                    reason?: string;
                    /**
                     * Format: uuid
                     * @description Id of the brain to work in, as `X-Brain-Id`. Where both are sent they must agree.
                     */
                    brain_id?: string;
                };
            };
        };
        responses: {
            /** @description What the fork would do, for a dry run */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ForkPlan"];
                };
            };
            /** @description The fork is accepted */
            202: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ForkStarted"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["BodyTimeout"];
            /** @description The run does not permit it: it is still in the node, or nothing is left to do */
            409: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "jobs.retry": {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
                /** @description Repeating the request with the same key and body returns the same response for 24 hours */
                "Idempotency-Key"?: string;
            };
            path: {
                jobId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description The input of the fork, instead of that of the run */
                    input?: unknown;
                    /** @description Outputs by node key, instead of those of nodes that the fork takes over */
                    outputs?: {
                        [key: string]: unknown;
                    };
                    /** @description By default the version of the run */
                    pathway_version?: number;
                    /** @description true: lists what the fork would do, and starts nothing */
                    dry_run?: boolean;
                    reason?: string;
                    /**
                     * Format: uuid
                     * @description Id of the brain to work in, as `X-Brain-Id`. Where both are sent they must agree.
                     */
                    brain_id?: string;
                };
            };
        };
        responses: {
            /** @description What the fork would do, for a dry run */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ForkPlan"];
                };
            };
            /** @description The fork is accepted */
            202: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ForkStarted"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["BodyTimeout"];
            /** @description The run does not permit it: it is still in the node, or nothing is left to do */
            409: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "jobs.answer": {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
                /** @description Repeating the request with the same key and body returns the same response for 24 hours */
                "Idempotency-Key"?: string;
            };
            path: {
                jobId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description The workspace of the caller
                     */
                    workspace_id: string;
                    input: {
                        /** @enum {string} */
                        type: "intervention_response";
                        interventionId: string;
                        /** @enum {string} */
                        action: "approve" | "reject" | "submit_input" | "answer_questions" | "decline_questions";
                        comment?: string;
                        data?: unknown;
                        answers?: {
                            [key: string]: string;
                        };
                    };
                    /**
                     * Format: uuid
                     * @description Id of the brain to work in, as `X-Brain-Id`. Where both are sent they must agree.
                     */
                    brain_id?: string;
                };
            };
        };
        responses: {
            /** @description The answer was accepted */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AnswerReply"];
                };
            };
            /** @description The answer is pending */
            202: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AnswerReply"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["BodyTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "jobs.migrate": {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Id or slug of the pathway */
                    pathway: string;
                    from_version: number;
                    to_version: number;
                    /** @description The filters of `GET /v1/jobs`, or the ids of runs */
                    filter: {
                        /** @description Id or slug of a receptor */
                        receptor_id?: string;
                        /** @description Id or slug of a trigger */
                        trigger_id?: string;
                        trace_id?: string;
                        /** @description Who started the job, such as user:ann */
                        requester?: string;
                        /** @description The beginning of who started the job, with or without its kind: `user:an` or `an` */
                        started_by?: string;
                        /** @description A part of the title, in upper or lower case */
                        title?: string;
                        /** @description A part of the title or of the input, in upper or lower case. Inputs of more than 16 kB are not searched */
                        text?: string;
                        /** @description false: without the runs that other runs have started */
                        child_runs?: boolean;
                        /** Format: date-time */
                        created_after?: string;
                        /** Format: date-time */
                        created_before?: string;
                        job_ids?: string[];
                        status?: ("pending" | "running" | "waiting" | "paused")[];
                    };
                    /** @description true: tells of each run whether it can move, and moves none */
                    dry_run?: boolean;
                    /** @description true: needed for a filter that leaves out no open run of the version */
                    confirm?: boolean;
                    /** @description The revisions of a dry run, by job id: a run that has gone on since is not moved */
                    revisions?: {
                        [key: string]: number;
                    };
                    /** @description Runs that the call looks at. By default 50 */
                    limit?: number;
                    /** @description `next` of the call before */
                    after?: string;
                    /**
                     * Format: uuid
                     * @description Id of the brain to work in, as `X-Brain-Id`. Where both are sent they must agree.
                     */
                    brain_id?: string;
                };
            };
        };
        responses: {
            /** @description What became of each run, or would */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MigrationReport"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description The pathway or a run that is named does not exist */
            404: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            408: components["responses"]["BodyTimeout"];
            /** @description The only run that is named cannot move; `details` says why */
            409: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "jobs.undoMigration": {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
            };
            path: {
                jobId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description The move that is meant; the last one if absent
                     */
                    migration_id?: string;
                    /**
                     * Format: uuid
                     * @description Id of the brain to work in, as `X-Brain-Id`. Where both are sent they must agree.
                     */
                    brain_id?: string;
                };
            };
        };
        responses: {
            /** @description The run follows its former version */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MigrationUndone"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["BodyTimeout"];
            /** @description The run has not moved, has moved again, or has gone on since */
            409: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "interventions.list": {
        parameters: {
            query?: {
                /** @description One or more, separated by commas */
                status?: ("open" | "decided" | "timed_out" | "cancelled")[];
                kind?: "approval" | "form" | "questions";
                /** @description Assignees such as user:ann or group:finance, separated by commas: those of any of them */
                assignee?: string[];
                /** @description Id or slug of the pathway of the run that was started */
                pathway_id?: string;
                /** @description true: only what the caller may answer now, by name, by group, or because it has no assignees */
                mine?: "true" | "false";
                job_id?: string;
                /** @description `opened` (the default) and `closed`: the latest first. `due`: what is due next first */
                sort?: "opened" | "due" | "closed";
                /** @description Page size */
                limit?: number;
                /** @description Number of entries to skip */
                offset?: number;
            };
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of interventions */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InterventionPage"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "interventions.counts": {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The numbers of open interventions */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InterventionCounts"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "interventions.get": {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The intervention */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Intervention"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "interventions.reopen": {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
                /** @description Repeating the request with the same key and body returns the same response for 24 hours */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Why it is to be decided again */
                    reason: string;
                    /** @description true: lists what the fork would do, and starts nothing */
                    dry_run?: boolean;
                    /**
                     * Format: uuid
                     * @description Id of the brain to work in, as `X-Brain-Id`. Where both are sent they must agree.
                     */
                    brain_id?: string;
                };
            };
        };
        responses: {
            /** @description What the fork would do, for a dry run */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ForkPlan"];
                };
            };
            /** @description The fork is accepted */
            202: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ForkStarted"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["BodyTimeout"];
            /** @description The run does not permit it: it is still in the node, or nothing is left to do */
            409: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "interventions.answerMany": {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    items: {
                        interventionId: string;
                        /** @description As the preview has it: what you have seen. Without `dry_run` it is needed */
                        shown_hash?: string;
                    }[];
                    /** @enum {string} */
                    action: "approve" | "reject" | "decline_questions";
                    comment?: string;
                    /** @description true: says what would become of each, and answers nothing */
                    dry_run?: boolean;
                    /**
                     * Format: uuid
                     * @description Id of the brain to work in, as `X-Brain-Id`. Where both are sent they must agree.
                     */
                    brain_id?: string;
                };
            };
        };
        responses: {
            /** @description What became of each */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BulkAnswers"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["BodyTimeout"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "interventions.claim": {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
                /** @description Repeating the request with the same key and body returns the same response for 24 hours */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description Id of the brain to work in, as `X-Brain-Id`. Where both are sent they must agree.
                     */
                    brain_id?: string;
                };
            };
        };
        responses: {
            /** @description Who deals with it now */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TaskState"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["BodyTimeout"];
            /** @description CLAIMED: another person has claimed it. The message says who */
            409: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "interventions.release": {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
                /** @description Repeating the request with the same key and body returns the same response for 24 hours */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description Id of the brain to work in, as `X-Brain-Id`. Where both are sent they must agree.
                     */
                    brain_id?: string;
                };
            };
        };
        responses: {
            /** @description Who deals with it now */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TaskState"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["BodyTimeout"];
            /** @description CLAIMED: another person has claimed it. The message says who */
            409: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "interventions.delegate": {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
                /** @description Repeating the request with the same key and body returns the same response for 24 hours */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The person who may answer in place of the caller */
                    to: string;
                    /** @description Why */
                    comment?: string;
                    /**
                     * Format: uuid
                     * @description Id of the brain to work in, as `X-Brain-Id`. Where both are sent they must agree.
                     */
                    brain_id?: string;
                };
            };
        };
        responses: {
            /** @description Who deals with it now */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TaskState"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["BodyTimeout"];
            /** @description CLAIMED: another person has claimed it. The message says who */
            409: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "interventions.reassign": {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
                /** @description Repeating the request with the same key and body returns the same response for 24 hours */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description All who may answer from now on: people such as user:ann, groups such as group:finance */
                    to: string[];
                    /** @description Why */
                    comment?: string;
                    /**
                     * Format: uuid
                     * @description Id of the brain to work in, as `X-Brain-Id`. Where both are sent they must agree.
                     */
                    brain_id?: string;
                };
            };
        };
        responses: {
            /** @description Who deals with it now */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TaskState"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["BodyTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "interventions.comment": {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
                /** @description Repeating the request with the same key and body returns the same response for 24 hours */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    comment: string;
                    /**
                     * Format: uuid
                     * @description Id of the brain to work in, as `X-Brain-Id`. Where both are sent they must agree.
                     */
                    brain_id?: string;
                };
            };
        };
        responses: {
            /** @description The comment */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InterventionHistoryEntry"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["BodyTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "absences.list": {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The absences */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AbsenceList"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "absences.save": {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Who answers meanwhile */
                    substitute: string;
                    /**
                     * Format: date-time
                     * @description Now if absent
                     */
                    starts_at?: string;
                    /**
                     * Format: date-time
                     * @description Absent until the end is known
                     */
                    ends_at?: string;
                    /** @description Who is away */
                    actor: string;
                    /**
                     * Format: uuid
                     * @description Id of the brain to work in, as `X-Brain-Id`. Where both are sent they must agree.
                     */
                    brain_id?: string;
                };
            };
        };
        responses: {
            /** @description The absence */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Absence"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["BodyTimeout"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "absences.saveOwn": {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Who answers meanwhile */
                    substitute: string;
                    /**
                     * Format: date-time
                     * @description Now if absent
                     */
                    starts_at?: string;
                    /**
                     * Format: date-time
                     * @description Absent until the end is known
                     */
                    ends_at?: string;
                    /**
                     * Format: uuid
                     * @description Id of the brain to work in, as `X-Brain-Id`. Where both are sent they must agree.
                     */
                    brain_id?: string;
                };
            };
        };
        responses: {
            /** @description The absence */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Absence"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["BodyTimeout"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "absences.endOwn": {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The absence has ended */
            204: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description There is no absence */
            404: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            408: components["responses"]["BodyTimeout"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "absences.end": {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
            };
            path: {
                actor: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The absence has ended */
            204: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description There is no absence */
            404: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            408: components["responses"]["BodyTimeout"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "calendars.list": {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The calendars */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkingCalendars"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "calendars.save": {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    time_zone: string;
                    /** @description Spans of local time by weekday; a day without one is free */
                    hours: {
                        sun?: string[];
                        mon?: string[];
                        tue?: string[];
                        wed?: string[];
                        thu?: string[];
                        fri?: string[];
                        sat?: string[];
                    };
                    /** @description Free days */
                    holidays?: string[];
                    /**
                     * Format: uuid
                     * @description Id of the brain to work in, as `X-Brain-Id`. Where both are sent they must agree.
                     */
                    brain_id?: string;
                };
            };
        };
        responses: {
            /** @description The calendar */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkingCalendar"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["BodyTimeout"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "calendars.delete": {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
            };
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted */
            204: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["BodyTimeout"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "interventions.evidence": {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The document with its signature */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Evidence"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "interventions.evidenceKeys": {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The keys */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EvidenceKeys"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "events.stream": {
        parameters: {
            query?: {
                /** @description Sends the events after this stream id, then new ones. Without it, new ones only */
                after?: string;
                /** @description The types to send, such as `resource.*,job.completed`; all if absent */
                types?: ("resource.created" | "resource.updated" | "resource.moved" | "resource.deleted" | "resource.restored" | "resource.indexed" | "job.started" | "job.waiting" | "job.paused" | "job.resumed" | "job.completed" | "job.failed" | "job.cancelled" | "intervention.requested" | "intervention.answered" | "intervention.reminded" | "intervention.timed_out" | "intervention.cancelled" | "intervention.claimed" | "intervention.released" | "intervention.reassigned" | "intervention.delegated" | "intervention.escalated" | "intervention.excluded" | "intervention.commented" | "webhook.disabled" | "trigger.health_changed" | "resource.*" | "job.*" | "intervention.*" | "webhook.*" | "trigger.*")[];
            };
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The events */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": components["schemas"]["WorkspaceEvent"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "webhooks.list": {
        parameters: {
            query?: {
                /** @description Page size */
                limit?: number;
                /** @description Number of entries to skip */
                offset?: number;
            };
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of webhooks */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookPage"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "webhooks.create": {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uri
                     * @description A public http or https URL, without credentials
                     */
                    url: string;
                    /** @description The events to deliver: types, or all types of a subject such as `job.*` */
                    event_types: components["schemas"]["EventFilter"][];
                    description?: string | null;
                    /**
                     * @description `brain`: the events of one brain and of the workspace; `workspace`: those of all brains. Default: `brain` if the request names one or the key is bound to brains
                     * @enum {string}
                     */
                    scope?: "workspace" | "brain";
                    /**
                     * Format: uuid
                     * @description Id of the brain to work in, as `X-Brain-Id`. Where both are sent they must agree.
                     */
                    brain_id?: string;
                };
            };
        };
        responses: {
            /** @description The webhook with its secret */
            201: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookWithSecret"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["BodyTimeout"];
            /** @description The workspace has as many webhooks as it can have */
            409: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "webhooks.get": {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
            };
            path: {
                /** @description Id of the webhook */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The webhook */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "webhooks.delete": {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
            };
            path: {
                /** @description Id of the webhook */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted */
            204: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["BodyTimeout"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "webhooks.update": {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
            };
            path: {
                /** @description Id of the webhook */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uri
                     * @description A public http or https URL, without credentials
                     */
                    url?: string;
                    /** @description The events to deliver: types, or all types of a subject such as `job.*` */
                    event_types?: components["schemas"]["EventFilter"][];
                    description?: string | null;
                    /** @description false: nothing is delivered; true: enabled again, from the next event on */
                    is_active?: boolean;
                    /**
                     * Format: uuid
                     * @description Id of the brain to work in, as `X-Brain-Id`. Where both are sent they must agree.
                     */
                    brain_id?: string;
                } | {
                    url: unknown;
                } | {
                    event_types: unknown;
                } | {
                    description: unknown;
                } | {
                    is_active: unknown;
                };
            };
        };
        responses: {
            /** @description The webhook */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["BodyTimeout"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "webhooks.rotateSecret": {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
            };
            path: {
                /** @description Id of the webhook */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /**
                     * @description How long the present secret signs beside the new one
                     * @default 24
                     */
                    overlap_hours?: number;
                    /**
                     * Format: uuid
                     * @description Id of the brain to work in, as `X-Brain-Id`. Where both are sent they must agree.
                     */
                    brain_id?: string;
                };
            };
        };
        responses: {
            /** @description The webhook with its new secret */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookWithSecret"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["BodyTimeout"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "webhooks.deliveries": {
        parameters: {
            query?: {
                /** @description Page size */
                limit?: number;
                /** @description Number of entries to skip */
                offset?: number;
                status?: "pending" | "succeeded" | "failed";
            };
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
            };
            path: {
                /** @description Id of the webhook */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of deliveries */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDeliveryPage"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "webhooks.replay": {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
            };
            path: {
                /** @description Id of the webhook */
                id: string;
                /** @description Id of the delivery */
                deliveryId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description Id of the brain to work in, as `X-Brain-Id`. Where both are sent they must agree.
                     */
                    brain_id?: string;
                };
            };
        };
        responses: {
            /** @description The delivery, pending again */
            202: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDelivery"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["BodyTimeout"];
            /** @description The delivery is pending, or the webhook is disabled */
            409: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "webhooks.test": {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
            };
            path: {
                /** @description Id of the webhook */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description Id of the brain to work in, as `X-Brain-Id`. Where both are sent they must agree.
                     */
                    brain_id?: string;
                };
            };
        };
        responses: {
            /** @description The delivery */
            202: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDelivery"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["BodyTimeout"];
            /** @description The webhook is disabled */
            409: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "search.start": {
        parameters: {
            query: {
                /** @description Keywords or a question; the first 256 words are used */
                query: string;
                mode?: "hybrid" | "keyword" | "semantic";
                /** @description The least cosine (the `score` of a semantic search) of a match without a keyword. The order of the others does not change. */
                min_score?: number;
                types?: ("neurons" | "neuron" | "pathways" | "pathway" | "receptors" | "receptor" | "reflexes" | "reflex" | "skills" | "skill" | "triggers" | "trigger" | "meetings" | "meeting" | "stakeholder_maps" | "stakeholder_map" | "assets" | "asset" | "artifacts" | "artifact" | "recollections" | "recollection")[];
                /** @description Where to look: in the latest versions (`head`), in all versions, or in those of a number. Other than `head` only for stakeholder maps, which are then the default of `types`. */
                versions?: ("head" | "all") | number;
                /** @description A folder; includes the folders below it */
                path_prefix?: string;
                limit?: number;
                /** @description Number of entries to skip */
                offset?: number;
            };
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The search is accepted */
            202: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobAccepted"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "search.query": {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Keywords or a question; the first 256 words are used */
                    query: string;
                    /**
                     * @default hybrid
                     * @enum {string}
                     */
                    mode?: "hybrid" | "keyword" | "semantic";
                    /** @description The least cosine (the `score` of a semantic search) of a match without a keyword. The order of the others does not change. */
                    min_score?: number;
                    types?: ("neurons" | "neuron" | "pathways" | "pathway" | "receptors" | "receptor" | "reflexes" | "reflex" | "skills" | "skill" | "triggers" | "trigger" | "meetings" | "meeting" | "stakeholder_maps" | "stakeholder_map" | "assets" | "asset" | "artifacts" | "artifact" | "recollections" | "recollection")[];
                    /** @description Where to look: in the latest versions (`head`), in all versions, or in those of a number. Other than `head` only for stakeholder maps, which are then the default of `types`. */
                    versions?: ("head" | "all") | number;
                    filters?: {
                        /** @description A folder; includes the folders below it */
                        path_prefix?: string;
                        /** Format: date-time */
                        created_after?: string;
                        /** Format: date-time */
                        created_before?: string;
                        /** @description All filters must match */
                        metadata?: {
                            [key: string]: string | number | boolean;
                        };
                    };
                    /** @default 20 */
                    limit?: number;
                    /** @default 0 */
                    offset?: number;
                    /**
                     * Format: uuid
                     * @description Id of the brain to work in, as `X-Brain-Id`. Where both are sent they must agree.
                     */
                    brain_id?: string;
                };
            };
        };
        responses: {
            /** @description The matches */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SearchReply"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["BodyTimeout"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "stakeholders.latest": {
        parameters: {
            query?: {
                /** @description Id or slug of the map. Default: the default map of the brain */
                resource_id?: string;
                /** @description Default: Markdown if `Accept` prefers `text/markdown`, else JSON */
                format?: "json" | "markdown";
            };
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The map, as JSON or Markdown */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Resource"];
                    "text/markdown": string;
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description The map, the version or the stakeholder does not exist, or the brain has no default map */
            404: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "stakeholders.diff": {
        parameters: {
            query: {
                /** @description A version number, or `live` for the latest version */
                from: "live" | number;
                /** @description A version number, or `live` for the latest version */
                to: "live" | number;
                /** @description Id or slug of the map. Default: the default map of the brain */
                resource_id?: string;
                /** @description Default: Markdown if `Accept` prefers `text/markdown`, else JSON */
                format?: "json" | "markdown";
            };
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The differences, as JSON or Markdown */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MapDiff"];
                    "text/markdown": string;
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description The map, the version or the stakeholder does not exist, or the brain has no default map */
            404: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "stakeholders.briefing": {
        parameters: {
            query?: {
                /** @description Id or slug of the map. Default: the default map of the brain */
                resource_id?: string;
                /** @description Default: Markdown if `Accept` prefers `text/markdown`, else JSON */
                format?: "json" | "markdown";
                /** @description Ids of stakeholders, separated by commas, to which paths are looked for */
                paths_to?: string[];
                /** @description Whether the default model writes a text from the facts. Sentences that cite no fact that supports them are left out. Default: false. */
                written?: "true" | "false";
            };
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
            };
            path: {
                /** @description Id of the stakeholder in the map */
                node_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The briefing, as JSON or Markdown */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StakeholderBriefing"];
                    "text/markdown": string;
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "stakeholders.graph": {
        parameters: {
            query?: {
                /** @description Id or slug of the map. Default: the default map of the brain */
                resource_id?: string;
                /** @description A version number, or `live` for the latest version */
                version?: "live" | number;
                /** @description The version, or `live`, to which changes are marked */
                diff?: "live" | number;
                format?: "svg" | "mermaid" | "graphml";
            };
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The picture */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "image/svg+xml": string;
                    "text/plain": string;
                    "application/xml": string;
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description The map, the version or the stakeholder does not exist, or the brain has no default map */
            404: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "stakeholders.extract": {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
                /** @description Repeating the request with the same key and body returns the same response for 24 hours */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Id or slug of the map. Default: the default map of the brain */
                    resource_id?: string;
                    /** @description A document or a meeting, by kind and by id or slug */
                    source?: {
                        /** @enum {string} */
                        type: "meetings" | "meeting" | "assets" | "asset" | "artifacts" | "artifact";
                        id: string;
                    };
                    text?: string;
                    /** @description Default: the default model of the installation */
                    model?: string;
                    /** @description Who may approve, such as user:ann. Default: all who may write to the brain */
                    assignees?: string[];
                    /**
                     * Format: uuid
                     * @description Id of the brain to work in, as `X-Brain-Id`. Where both are sent they must agree.
                     */
                    brain_id?: string;
                } & ({
                    source: unknown;
                } | {
                    text: unknown;
                });
            };
        };
        responses: {
            /** @description The run is accepted */
            202: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobAccepted"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description The map, the version or the stakeholder does not exist, or the brain has no default map */
            404: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            408: components["responses"]["BodyTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "reflexes.list": {
        parameters: {
            query?: {
                /** @description Page size */
                limit?: number;
                /** @description Number of entries to skip */
                offset?: number;
                is_active?: "true" | "false";
                /** @description Only resources directly in this folder, such as /finance */
                path?: string;
            };
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of reflexes */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReflexPage"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "reflexes.create": {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
                /** @description Repeating the request with the same key and body returns the same response for 24 hours */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    title: string;
                    slug?: string;
                    /** @description Folder, such as /finance/invoices; / is the root. At most 1,000 bytes of UTF-8. */
                    path?: string;
                    /**
                     * @description `workspace`, or `brain`: that of the brain context. `core` is refused with 403. Default of a new resource: `brain`.
                     * @enum {string}
                     */
                    scope?: "core" | "workspace" | "brain";
                    is_active?: boolean;
                    /** @description Reason for this version */
                    note?: string;
                    description?: string | null;
                    /**
                     * @description Source of the tools
                     * @default builtin
                     * @enum {string}
                     */
                    source?: "builtin" | "openapi" | "mcp" | "pathway" | "neuron";
                    /**
                     * Format: uri
                     * @description URL of an OpenAPI document or of an MCP server
                     */
                    url?: string;
                    /** @description An OpenAPI document (3.0 or 3.1), as an object or as text in JSON or YAML. Its operations become tools; the document is not stored. */
                    openapi?: unknown;
                    /**
                     * Format: uri
                     * @description Base URL to call instead of the servers in the document
                     */
                    server_url?: string;
                    /** @description Calls of tools that change nothing (`read`) mostly take less than half a second. Runs make them without a task of their own. */
                    is_short?: boolean;
                    /** @description The pathway or neuron that is the tool: slug or id, optionally with @version */
                    target?: string;
                    /** @description Tools that a built-in reflex offers, by name; the tools of other sources are listed by a job */
                    tools?: {
                        name: string;
                        /** @default  */
                        description?: string;
                        parameters?: {
                            [key: string]: unknown;
                        };
                        /** @enum {string} */
                        effect?: "read" | "idempotent" | "write";
                        http?: {
                            /** @enum {string} */
                            method: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS";
                            /** Format: starts_with */
                            path: string;
                            /** Format: uri */
                            server?: string;
                            places?: {
                                [key: string]: {
                                    /** @enum {string} */
                                    in: "path" | "query" | "header";
                                    name: string;
                                    /** @enum {string} */
                                    style: "simple" | "form" | "spaceDelimited" | "pipeDelimited" | "deepObject" | "json";
                                    /** @default false */
                                    explode?: boolean;
                                };
                            };
                            body?: {
                                argument: string;
                                /** @enum {string} */
                                media_type: "application/json" | "application/x-www-form-urlencoded" | "text/plain";
                            };
                        };
                        mcp?: {
                            name: string;
                        };
                    }[];
                    /** @description Names of secrets, by header name */
                    secrets?: {
                        [key: string]: string;
                    };
                    /**
                     * Format: uuid
                     * @description Id of the brain to work in, as `X-Brain-Id`. Where both are sent they must agree.
                     */
                    brain_id?: string;
                };
            };
        };
        responses: {
            /** @description The fields of a reflex */
            201: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SavedReflex"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["BodyTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "reflexes.get": {
        parameters: {
            query?: {
                /** @description Reads this version instead of the latest */
                version?: number;
            };
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
            };
            path: {
                /** @description Id or slug; a read also takes `<id or slug>@<version>` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The fields of a reflex */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Reflex"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "reflexes.delete": {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
            };
            path: {
                /** @description Id or slug; a read also takes `<id or slug>@<version>` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted, although resources refer to it: `used_by` has the newest 50 of `total` */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeletedInUse"];
                };
            };
            /** @description Deleted; nothing refers to it */
            204: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["BodyTimeout"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "reflexes.update": {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
                /** @description The expected current version. The request fails with 409 if the resource is at another version. */
                "If-Match"?: string;
            };
            path: {
                /** @description Id or slug; a read also takes `<id or slug>@<version>` */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    title?: string;
                    slug?: string;
                    /** @description Folder, such as /finance/invoices; / is the root. At most 1,000 bytes of UTF-8. */
                    path?: string;
                    /**
                     * @description `workspace`, or `brain`: that of the brain context. `core` is refused with 403. Default of a new resource: `brain`.
                     * @enum {string}
                     */
                    scope?: "core" | "workspace" | "brain";
                    is_active?: boolean;
                    /** @description Reason for this version */
                    note?: string;
                    description?: string | null;
                    /**
                     * @description Source of the tools
                     * @default builtin
                     * @enum {string}
                     */
                    source?: "builtin" | "openapi" | "mcp" | "pathway" | "neuron";
                    /**
                     * Format: uri
                     * @description URL of an OpenAPI document or of an MCP server
                     */
                    url?: string;
                    /** @description An OpenAPI document (3.0 or 3.1), as an object or as text in JSON or YAML. Its operations become tools; the document is not stored. */
                    openapi?: unknown;
                    /**
                     * Format: uri
                     * @description Base URL to call instead of the servers in the document
                     */
                    server_url?: string;
                    /** @description Calls of tools that change nothing (`read`) mostly take less than half a second. Runs make them without a task of their own. */
                    is_short?: boolean;
                    /** @description The pathway or neuron that is the tool: slug or id, optionally with @version */
                    target?: string;
                    /** @description Tools that a built-in reflex offers, by name; the tools of other sources are listed by a job */
                    tools?: {
                        name: string;
                        /** @default  */
                        description?: string;
                        parameters?: {
                            [key: string]: unknown;
                        };
                        /** @enum {string} */
                        effect?: "read" | "idempotent" | "write";
                        http?: {
                            /** @enum {string} */
                            method: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS";
                            /** Format: starts_with */
                            path: string;
                            /** Format: uri */
                            server?: string;
                            places?: {
                                [key: string]: {
                                    /** @enum {string} */
                                    in: "path" | "query" | "header";
                                    name: string;
                                    /** @enum {string} */
                                    style: "simple" | "form" | "spaceDelimited" | "pipeDelimited" | "deepObject" | "json";
                                    /** @default false */
                                    explode?: boolean;
                                };
                            };
                            body?: {
                                argument: string;
                                /** @enum {string} */
                                media_type: "application/json" | "application/x-www-form-urlencoded" | "text/plain";
                            };
                        };
                        mcp?: {
                            name: string;
                        };
                    }[];
                    /** @description Names of secrets, by header name */
                    secrets?: {
                        [key: string]: string;
                    };
                    /** @description The request fails with 409 unless this is the latest version */
                    expected_version?: number;
                    /**
                     * Format: uuid
                     * @description Id of the brain to work in, as `X-Brain-Id`. Where both are sent they must agree.
                     */
                    brain_id?: string;
                } | {
                    title: unknown;
                } | {
                    slug: unknown;
                } | {
                    path: unknown;
                } | {
                    scope: unknown;
                } | {
                    is_active: unknown;
                } | {
                    note: unknown;
                } | {
                    description: unknown;
                } | {
                    source: unknown;
                } | {
                    url: unknown;
                } | {
                    openapi: unknown;
                } | {
                    server_url: unknown;
                } | {
                    is_short: unknown;
                } | {
                    target: unknown;
                } | {
                    tools: unknown;
                } | {
                    secrets: unknown;
                };
            };
        };
        responses: {
            /** @description The fields of a reflex */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SavedReflex"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["BodyTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "reflexes.restore": {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
            };
            path: {
                /** @description Id or slug; a read also takes `<id or slug>@<version>` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description The version to go back to */
                    version?: number;
                    /** @description Reason for this version */
                    note?: string;
                    /**
                     * Format: uuid
                     * @description Id of the brain to work in, as `X-Brain-Id`. Where both are sent they must agree.
                     */
                    brain_id?: string;
                };
            };
        };
        responses: {
            /** @description The fields of a reflex */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RestoredReflex"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["BodyTimeout"];
            /** @description Another resource has the slug by now */
            409: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "reflexes.history": {
        parameters: {
            query?: {
                /** @description Page size */
                limit?: number;
                /** @description Number of entries to skip */
                offset?: number;
            };
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
            };
            path: {
                /** @description Id or slug; a read also takes `<id or slug>@<version>` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of versions */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VersionPage"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "reflexes.usedBy": {
        parameters: {
            query?: {
                /** @description Page size */
                limit?: number;
                /** @description Number of entries to skip */
                offset?: number;
            };
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
            };
            path: {
                /** @description Id or slug; a read also takes `<id or slug>@<version>` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of resources */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReferringResourcePage"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "reflexes.diff": {
        parameters: {
            query: {
                /** @description A version number, or `live` for the latest version */
                from: "live" | number;
                /** @description A version number, or `live` for the latest version */
                to: "live" | number;
            };
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
            };
            path: {
                /** @description Id or slug; a read also takes `<id or slug>@<version>` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The differences as an RFC 6902 patch in the shape of the catalog */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Diff"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "reflexes.refresh": {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
                /** @description Repeating the request with the same key and body returns the same response for 24 hours */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Id or slug; a read also takes `<id or slug>@<version>` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description Id of the brain to work in, as `X-Brain-Id`. Where both are sent they must agree.
                     */
                    brain_id?: string;
                };
            };
        };
        responses: {
            /** @description The job is accepted */
            202: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobAccepted"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["BodyTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "tools.list": {
        parameters: {
            query?: {
                /** @description Page size */
                limit?: number;
                /** @description Number of entries to skip */
                offset?: number;
            };
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of tools, ordered by reflex */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ToolPage"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "tools.call": {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
                /** @description Repeating the request with the same key and body returns the same response for 24 hours */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Name of the tool */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description Slug or id of the reflex, optionally with @version. Required if several reflexes have a tool of this name. */
                    reflex?: string;
                    /** @description Validated against the parameters of the tool */
                    arguments?: {
                        [key: string]: unknown;
                    };
                    /**
                     * Format: uuid
                     * @description Id of the brain to work in, as `X-Brain-Id`. Where both are sent they must agree.
                     */
                    brain_id?: string;
                };
            };
        };
        responses: {
            /** @description The output of the tool */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ToolOutput"];
                };
            };
            /** @description The call is still in progress */
            202: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobState"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["BodyTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description The tool failed */
            422: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            /** @description The server that the tool calls sent an invalid response, or did not respond in time */
            502: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            503: components["responses"]["Unavailable"];
        };
    };
    "secrets.list": {
        parameters: {
            query?: {
                /** @description Page size */
                limit?: number;
                /** @description Number of entries to skip */
                offset?: number;
            };
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of secrets */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SecretPage"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "secrets.save": {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
            };
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The value of a header; no response has it */
                    value: string;
                    /** @description The hosts that it may be sent to, with the port unless it is that of the scheme */
                    hosts: string[];
                    /**
                     * Format: uuid
                     * @description Id of the brain to work in, as `X-Brain-Id`. Where both are sent they must agree.
                     */
                    brain_id?: string;
                };
            };
        };
        responses: {
            /** @description The secret without its value */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Secret"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["BodyTimeout"];
            /** @description The operator has a secret of the name, or the workspace cannot have more secrets */
            409: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "secrets.delete": {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
            };
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted */
            204: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["BodyTimeout"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "transcribe.start": {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
                /** @description Repeating the request with the same key and body returns the same response for 24 hours */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TranscribeBody"];
                "multipart/form-data": {
                    /**
                     * Format: binary
                     * @description A complete file in WAV, MP3, M4A, WebM, Ogg, FLAC, AAC, AMR, 3GP and AIFF
                     */
                    file: string;
                    /**
                     * @description Default: the media type of the file
                     * @example audio/mpeg
                     */
                    mime_type?: string;
                    /** @description Default: the name of the file. It is not kept. */
                    file_name?: string;
                    /** @description The language that is spoken, such as en. Default: the speech service finds it out. */
                    language?: string;
                    /**
                     * Format: uuid
                     * @description Id of the brain to work in, as `X-Brain-Id`. Where both are sent they must agree.
                     */
                    brain_id?: string;
                };
            };
        };
        responses: {
            /** @description The job is accepted */
            202: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobAccepted"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["BodyTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "meetings.list": {
        parameters: {
            query?: {
                /** @description Page size */
                limit?: number;
                /** @description Number of entries to skip */
                offset?: number;
            };
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of meetings */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MeetingPage"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "meetings.create": {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
                /** @description Repeating the request with the same key and body returns the same response for 24 hours */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    title: string;
                    slug?: string;
                    description?: string | null;
                    participants?: string[];
                    /** Format: date-time */
                    starts_at?: string;
                    /** @description Folder, such as /finance/invoices; / is the root. At most 1,000 bytes of UTF-8. */
                    path?: string;
                    /**
                     * @description `workspace`, or `brain`: that of the brain context. `core` is refused with 403. Default of a new resource: `brain`.
                     * @enum {string}
                     */
                    scope?: "core" | "workspace" | "brain";
                    /** @description Reason for this version */
                    note?: string;
                    /**
                     * Format: uuid
                     * @description Id of the brain to work in, as `X-Brain-Id`. Where both are sent they must agree.
                     */
                    brain_id?: string;
                };
            };
        };
        responses: {
            /** @description The fields of a meeting */
            201: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Meeting"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["BodyTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "meetings.get": {
        parameters: {
            query?: {
                /** @description Reads this version instead of the latest */
                version?: number;
            };
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
            };
            path: {
                /** @description Id or slug; a read also takes `<id or slug>@<version>` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The fields of a meeting */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Meeting"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "meetings.delete": {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
            };
            path: {
                /** @description Id or slug; a read also takes `<id or slug>@<version>` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted, although resources refer to it: `used_by` has the newest 50 of `total` */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeletedInUse"];
                };
            };
            /** @description Deleted; nothing refers to it */
            204: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["BodyTimeout"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "meetings.update": {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
                /** @description The expected current version. The request fails with 409 if the resource is at another version. */
                "If-Match"?: string;
            };
            path: {
                /** @description Id or slug; a read also takes `<id or slug>@<version>` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    title?: string;
                    description?: string | null;
                    participants?: string[];
                    /** Format: date-time */
                    starts_at?: string;
                    /** @description Folder, such as /finance/invoices; / is the root. At most 1,000 bytes of UTF-8. */
                    path?: string;
                    /**
                     * @description `workspace`, or `brain`: that of the brain context. `core` is refused with 403. Default of a new resource: `brain`.
                     * @enum {string}
                     */
                    scope?: "core" | "workspace" | "brain";
                    /** @description The request fails with 409 unless this is the latest version */
                    expected_version?: number;
                    /** @description Reason for this version */
                    note?: string;
                    /**
                     * Format: uuid
                     * @description Id of the brain to work in, as `X-Brain-Id`. Where both are sent they must agree.
                     */
                    brain_id?: string;
                };
            };
        };
        responses: {
            /** @description The fields of a meeting */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Meeting"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["BodyTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "meetings.restore": {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
            };
            path: {
                /** @description Id or slug; a read also takes `<id or slug>@<version>` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description The version to go back to */
                    version?: number;
                    /** @description Reason for this version */
                    note?: string;
                    /**
                     * Format: uuid
                     * @description Id of the brain to work in, as `X-Brain-Id`. Where both are sent they must agree.
                     */
                    brain_id?: string;
                };
            };
        };
        responses: {
            /** @description The fields of a meeting */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Meeting"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["BodyTimeout"];
            /** @description Another resource has the slug by now */
            409: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "meetings.history": {
        parameters: {
            query?: {
                /** @description Page size */
                limit?: number;
                /** @description Number of entries to skip */
                offset?: number;
            };
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
            };
            path: {
                /** @description Id or slug; a read also takes `<id or slug>@<version>` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of versions */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VersionPage"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "meetings.usedBy": {
        parameters: {
            query?: {
                /** @description Page size */
                limit?: number;
                /** @description Number of entries to skip */
                offset?: number;
            };
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
            };
            path: {
                /** @description Id or slug; a read also takes `<id or slug>@<version>` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of resources */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReferringResourcePage"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "meetings.diff": {
        parameters: {
            query: {
                /** @description A version number, or `live` for the latest version */
                from: "live" | number;
                /** @description A version number, or `live` for the latest version */
                to: "live" | number;
            };
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
            };
            path: {
                /** @description Id or slug; a read also takes `<id or slug>@<version>` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The differences as an RFC 6902 patch in the shape of the catalog */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Diff"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "meetings.addAudio": {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
            };
            path: {
                /** @description Id or slug; a read also takes `<id or slug>@<version>` */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MeetingAudio"];
            };
        };
        responses: {
            /** @description The piece was accepted */
            202: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AcceptedPiece"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["BodyTimeout"];
            /** @description The meeting takes no more audio */
            409: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "meetings.end": {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
            };
            path: {
                /** @description Id or slug; a read also takes `<id or slug>@<version>` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description Id of the brain to work in, as `X-Brain-Id`. Where both are sent they must agree.
                     */
                    brain_id?: string;
                };
            };
        };
        responses: {
            /** @description The meeting has ended */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MeetingEnding"];
                };
            };
            /** @description The meeting ends when every piece is transcribed */
            202: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MeetingEnding"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["BodyTimeout"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "meetings.transcript": {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
            };
            path: {
                /** @description Id or slug; a read also takes `<id or slug>@<version>` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The transcript */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MeetingTranscript"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "meetings.stream": {
        parameters: {
            query?: {
                /** @description Sends only events after this stream id; beyond the end of a run, none */
                after?: string;
            };
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
            };
            path: {
                /** @description Id or slug; a read also takes `<id or slug>@<version>` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The events */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": components["schemas"]["JobEvent"];
                };
            };
            /** @description The run has ended, and the client that reconnects with `Last-Event-ID` has all events */
            204: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "triggers.list": {
        parameters: {
            query?: {
                /** @description Page size */
                limit?: number;
                /** @description Number of entries to skip */
                offset?: number;
                is_active?: "true" | "false";
                /** @description Only resources directly in this folder, such as /finance */
                path?: string;
            };
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of triggers */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TriggerPage"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "triggers.create": {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
                /** @description Repeating the request with the same key and body returns the same response for 24 hours */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    title: string;
                    slug?: string;
                    /** @description Folder, such as /finance/invoices; / is the root. At most 1,000 bytes of UTF-8. */
                    path?: string;
                    /**
                     * @description `workspace`, or `brain`: that of the brain context. `core` is refused with 403. Default of a new resource: `brain`.
                     * @enum {string}
                     */
                    scope?: "core" | "workspace" | "brain";
                    is_active?: boolean;
                    /** @description Reason for this version */
                    note?: string;
                    description?: string | null;
                    /**
                     * @default manual
                     * @enum {string}
                     */
                    trigger_type?: "schedule" | "webhook" | "chat" | "manual" | "event";
                    target: {
                        /** @enum {string} */
                        type: "neuron" | "pathway" | "receptor";
                        ref: string;
                    };
                    input?: unknown;
                    filter?: string;
                    limits?: {
                        runs_per_hour?: number;
                        runs_at_once?: number;
                        usd_per_month?: number;
                    };
                    /** @default false */
                    paused?: boolean;
                    pause_note?: string;
                    schedule?: {
                        cron?: string | string[];
                        interval?: {
                            every: string;
                            offset?: string;
                        };
                        calendars?: {
                            second?: string | number;
                            minute?: string | number;
                            hour?: string | number;
                            day_of_month?: string | number;
                            month?: string | number;
                            day_of_week?: string | number;
                            year?: string | number;
                            comment?: string;
                        }[];
                        /** @default UTC */
                        time_zone?: string;
                        jitter?: string;
                        /** Format: date-time */
                        start_at?: string;
                        /** Format: date-time */
                        end_at?: string;
                        /**
                         * @default skip
                         * @enum {string}
                         */
                        overlap?: "skip" | "buffer_one" | "allow" | "cancel_other";
                        /** @default PT1H */
                        catch_up?: string;
                    };
                    /** @description Takes requests at a URL, whose token `POST /v1/triggers/{id}/rotate-token` makes */
                    webhook?: {
                        signature: {
                            /** @constant */
                            scheme: "standard_webhooks";
                            /**
                             * @description How far the time of a signed message may be from the present, in both directions
                             * @default 300
                             */
                            tolerance_seconds?: number;
                        } | {
                            /** @constant */
                            scheme: "github";
                        } | {
                            /** @constant */
                            scheme: "stripe";
                            /**
                             * @description How far the time of a signed message may be from the present, in both directions
                             * @default 300
                             */
                            tolerance_seconds?: number;
                        } | {
                            /** @constant */
                            scheme: "slack";
                            /**
                             * @description How far the time of a signed message may be from the present, in both directions
                             * @default 300
                             */
                            tolerance_seconds?: number;
                        } | {
                            /** @constant */
                            scheme: "hmac";
                            /** @description The header with the signature */
                            header: string;
                            /**
                             * @description What precedes the signature, such as `sha256=`
                             * @default
                             */
                            prefix?: string;
                            /**
                             * @default sha256
                             * @enum {string}
                             */
                            algorithm?: "sha256" | "sha512" | "sha1";
                            /**
                             * @default hex
                             * @enum {string}
                             */
                            encoding?: "hex" | "base64" | "base64url";
                            /** @description The header with the time of the message, in Unix seconds */
                            timestamp_header?: string;
                            /** @description What is signed: text with `{body}` once, `{timestamp}` and `{delivery_id}`. Default: `{timestamp}.{body}` with `timestamp_header`, else `{body}` */
                            content?: string;
                            /**
                             * @description How far the time of a signed message may be from the present, in both directions
                             * @default 300
                             */
                            tolerance_seconds?: number;
                            /** @description The header whose value identifies a delivery, so that a repeat starts nothing. The signature must cover it: `content` contains `{delivery_id}` */
                            delivery_id_header?: string;
                        } | {
                            /** @constant */
                            scheme: "none";
                            /** @description The header whose value identifies a delivery, so that a repeat starts nothing */
                            delivery_id_header?: string;
                        };
                        /** @description CEL over `event.body`, such as `event.body.claim_id`: requests with the same value start one run. Without a value, the id of the delivery or the signed content counts. */
                        dedupe_by?: string;
                        /**
                         * @default async
                         * @enum {string}
                         */
                        respond?: "async" | "sync";
                        /** @default 20 */
                        wait_seconds?: number;
                        /** @default 600 */
                        requests_per_minute?: number;
                    };
                    chat?: {
                        receptor?: string;
                        /** Format: uuid */
                        trace_id?: string;
                        phrases?: string[];
                        mentions?: string[];
                        router?: {
                            neuron: string;
                        };
                    };
                    manual?: Record<string, unknown>;
                    event?: {
                        types: ("resource.created" | "resource.updated" | "resource.moved" | "resource.deleted" | "resource.restored" | "resource.indexed" | "job.started" | "job.waiting" | "job.paused" | "job.resumed" | "job.completed" | "job.failed" | "job.cancelled" | "intervention.requested" | "intervention.answered" | "intervention.reminded" | "intervention.timed_out" | "intervention.cancelled" | "intervention.claimed" | "intervention.released" | "intervention.reassigned" | "intervention.delegated" | "intervention.escalated" | "intervention.excluded" | "intervention.commented" | "webhook.disabled" | "trigger.health_changed" | "resource.*" | "job.*" | "intervention.*" | "webhook.*" | "trigger.*")[];
                        path?: string;
                        resource_types?: string[];
                        debounce?: {
                            seconds: number;
                            /**
                             * @default subject
                             * @enum {string}
                             */
                            by?: "subject" | "path" | "type" | "trigger";
                        };
                    };
                    /**
                     * Format: uuid
                     * @description Id of the brain to work in, as `X-Brain-Id`. Where both are sent they must agree.
                     */
                    brain_id?: string;
                };
            };
        };
        responses: {
            /** @description The fields of a trigger */
            201: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trigger"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["BodyTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "triggers.get": {
        parameters: {
            query?: {
                /** @description Reads this version instead of the latest */
                version?: number;
            };
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
            };
            path: {
                /** @description Id or slug; a read also takes `<id or slug>@<version>` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The fields of a trigger */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trigger"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "triggers.delete": {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
            };
            path: {
                /** @description Id or slug; a read also takes `<id or slug>@<version>` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted, although resources refer to it: `used_by` has the newest 50 of `total` */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeletedInUse"];
                };
            };
            /** @description Deleted; nothing refers to it */
            204: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["BodyTimeout"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "triggers.update": {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
                /** @description The expected current version. The request fails with 409 if the resource is at another version. */
                "If-Match"?: string;
            };
            path: {
                /** @description Id or slug; a read also takes `<id or slug>@<version>` */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    title?: string;
                    slug?: string;
                    /** @description Folder, such as /finance/invoices; / is the root. At most 1,000 bytes of UTF-8. */
                    path?: string;
                    /**
                     * @description `workspace`, or `brain`: that of the brain context. `core` is refused with 403. Default of a new resource: `brain`.
                     * @enum {string}
                     */
                    scope?: "core" | "workspace" | "brain";
                    is_active?: boolean;
                    /** @description Reason for this version */
                    note?: string;
                    description?: string | null;
                    /**
                     * @default manual
                     * @enum {string}
                     */
                    trigger_type?: "schedule" | "webhook" | "chat" | "manual" | "event";
                    target?: {
                        /** @enum {string} */
                        type: "neuron" | "pathway" | "receptor";
                        ref: string;
                    };
                    input?: unknown;
                    filter?: string;
                    limits?: {
                        runs_per_hour?: number;
                        runs_at_once?: number;
                        usd_per_month?: number;
                    };
                    /** @default false */
                    paused?: boolean;
                    pause_note?: string;
                    schedule?: {
                        cron?: string | string[];
                        interval?: {
                            every: string;
                            offset?: string;
                        };
                        calendars?: {
                            second?: string | number;
                            minute?: string | number;
                            hour?: string | number;
                            day_of_month?: string | number;
                            month?: string | number;
                            day_of_week?: string | number;
                            year?: string | number;
                            comment?: string;
                        }[];
                        /** @default UTC */
                        time_zone?: string;
                        jitter?: string;
                        /** Format: date-time */
                        start_at?: string;
                        /** Format: date-time */
                        end_at?: string;
                        /**
                         * @default skip
                         * @enum {string}
                         */
                        overlap?: "skip" | "buffer_one" | "allow" | "cancel_other";
                        /** @default PT1H */
                        catch_up?: string;
                    };
                    /** @description Takes requests at a URL, whose token `POST /v1/triggers/{id}/rotate-token` makes */
                    webhook?: {
                        signature: {
                            /** @constant */
                            scheme: "standard_webhooks";
                            /**
                             * @description How far the time of a signed message may be from the present, in both directions
                             * @default 300
                             */
                            tolerance_seconds?: number;
                        } | {
                            /** @constant */
                            scheme: "github";
                        } | {
                            /** @constant */
                            scheme: "stripe";
                            /**
                             * @description How far the time of a signed message may be from the present, in both directions
                             * @default 300
                             */
                            tolerance_seconds?: number;
                        } | {
                            /** @constant */
                            scheme: "slack";
                            /**
                             * @description How far the time of a signed message may be from the present, in both directions
                             * @default 300
                             */
                            tolerance_seconds?: number;
                        } | {
                            /** @constant */
                            scheme: "hmac";
                            /** @description The header with the signature */
                            header: string;
                            /**
                             * @description What precedes the signature, such as `sha256=`
                             * @default
                             */
                            prefix?: string;
                            /**
                             * @default sha256
                             * @enum {string}
                             */
                            algorithm?: "sha256" | "sha512" | "sha1";
                            /**
                             * @default hex
                             * @enum {string}
                             */
                            encoding?: "hex" | "base64" | "base64url";
                            /** @description The header with the time of the message, in Unix seconds */
                            timestamp_header?: string;
                            /** @description What is signed: text with `{body}` once, `{timestamp}` and `{delivery_id}`. Default: `{timestamp}.{body}` with `timestamp_header`, else `{body}` */
                            content?: string;
                            /**
                             * @description How far the time of a signed message may be from the present, in both directions
                             * @default 300
                             */
                            tolerance_seconds?: number;
                            /** @description The header whose value identifies a delivery, so that a repeat starts nothing. The signature must cover it: `content` contains `{delivery_id}` */
                            delivery_id_header?: string;
                        } | {
                            /** @constant */
                            scheme: "none";
                            /** @description The header whose value identifies a delivery, so that a repeat starts nothing */
                            delivery_id_header?: string;
                        };
                        /** @description CEL over `event.body`, such as `event.body.claim_id`: requests with the same value start one run. Without a value, the id of the delivery or the signed content counts. */
                        dedupe_by?: string;
                        /**
                         * @default async
                         * @enum {string}
                         */
                        respond?: "async" | "sync";
                        /** @default 20 */
                        wait_seconds?: number;
                        /** @default 600 */
                        requests_per_minute?: number;
                    };
                    chat?: {
                        receptor?: string;
                        /** Format: uuid */
                        trace_id?: string;
                        phrases?: string[];
                        mentions?: string[];
                        router?: {
                            neuron: string;
                        };
                    };
                    manual?: Record<string, unknown>;
                    event?: {
                        types: ("resource.created" | "resource.updated" | "resource.moved" | "resource.deleted" | "resource.restored" | "resource.indexed" | "job.started" | "job.waiting" | "job.paused" | "job.resumed" | "job.completed" | "job.failed" | "job.cancelled" | "intervention.requested" | "intervention.answered" | "intervention.reminded" | "intervention.timed_out" | "intervention.cancelled" | "intervention.claimed" | "intervention.released" | "intervention.reassigned" | "intervention.delegated" | "intervention.escalated" | "intervention.excluded" | "intervention.commented" | "webhook.disabled" | "trigger.health_changed" | "resource.*" | "job.*" | "intervention.*" | "webhook.*" | "trigger.*")[];
                        path?: string;
                        resource_types?: string[];
                        debounce?: {
                            seconds: number;
                            /**
                             * @default subject
                             * @enum {string}
                             */
                            by?: "subject" | "path" | "type" | "trigger";
                        };
                    };
                    /** @description The request fails with 409 unless this is the latest version */
                    expected_version?: number;
                    /**
                     * Format: uuid
                     * @description Id of the brain to work in, as `X-Brain-Id`. Where both are sent they must agree.
                     */
                    brain_id?: string;
                } | {
                    title: unknown;
                } | {
                    slug: unknown;
                } | {
                    path: unknown;
                } | {
                    scope: unknown;
                } | {
                    is_active: unknown;
                } | {
                    note: unknown;
                } | {
                    description: unknown;
                } | {
                    trigger_type: unknown;
                } | {
                    target: unknown;
                } | {
                    input: unknown;
                } | {
                    filter: unknown;
                } | {
                    limits: unknown;
                } | {
                    paused: unknown;
                } | {
                    pause_note: unknown;
                } | {
                    schedule: unknown;
                } | {
                    webhook: unknown;
                } | {
                    chat: unknown;
                } | {
                    manual: unknown;
                } | {
                    event: unknown;
                };
            };
        };
        responses: {
            /** @description The fields of a trigger */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trigger"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["BodyTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "triggers.restore": {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
            };
            path: {
                /** @description Id or slug; a read also takes `<id or slug>@<version>` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description The version to go back to */
                    version?: number;
                    /** @description Reason for this version */
                    note?: string;
                    /**
                     * Format: uuid
                     * @description Id of the brain to work in, as `X-Brain-Id`. Where both are sent they must agree.
                     */
                    brain_id?: string;
                };
            };
        };
        responses: {
            /** @description The fields of a trigger */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trigger"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["BodyTimeout"];
            /** @description Another resource has the slug by now */
            409: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "triggers.history": {
        parameters: {
            query?: {
                /** @description Page size */
                limit?: number;
                /** @description Number of entries to skip */
                offset?: number;
            };
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
            };
            path: {
                /** @description Id or slug; a read also takes `<id or slug>@<version>` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of versions */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VersionPage"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "triggers.usedBy": {
        parameters: {
            query?: {
                /** @description Page size */
                limit?: number;
                /** @description Number of entries to skip */
                offset?: number;
            };
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
            };
            path: {
                /** @description Id or slug; a read also takes `<id or slug>@<version>` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of resources */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReferringResourcePage"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "triggers.diff": {
        parameters: {
            query: {
                /** @description A version number, or `live` for the latest version */
                from: "live" | number;
                /** @description A version number, or `live` for the latest version */
                to: "live" | number;
            };
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
            };
            path: {
                /** @description Id or slug; a read also takes `<id or slug>@<version>` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The differences as an RFC 6902 patch in the shape of the catalog */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Diff"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "triggers.fire": {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
                /** @description Repeating the request with the same key and body returns the same response for 24 hours */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Id or slug; a read also takes `<id or slug>@<version>` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description `event.input` of the mapping. Default: an empty object. */
                    input?: unknown;
                    /** @description Further fields of `event`, such as `body` for a trigger of the type webhook */
                    event?: {
                        [key: string]: unknown;
                    };
                    /**
                     * Format: uuid
                     * @description Id of the brain to work in, as `X-Brain-Id`. Where both are sent they must agree.
                     */
                    brain_id?: string;
                };
            };
        };
        responses: {
            /** @description No run was started, because the filter is false */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Firing"];
                };
            };
            /** @description The run is started */
            202: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Firing"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["BodyTimeout"];
            /** @description The target is missing or switched off */
            409: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "triggers.runs": {
        parameters: {
            query?: {
                /** @description Page size */
                limit?: number;
                /** @description Number of entries to skip */
                offset?: number;
                decision?: "fired" | "filtered" | "limited" | "duplicate" | "failed_mapping" | "paused" | "target_missing" | "refused";
            };
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
            };
            path: {
                /** @description Id or slug; a read also takes `<id or slug>@<version>` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of firings */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FiringPage"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "triggers.preview": {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
            };
            path: {
                /** @description Id or slug; a read also takes `<id or slug>@<version>` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description At most 20 times; none without a schedule */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TriggerPreview"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "triggers.backfill": {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
            };
            path: {
                /** @description Id or slug; a read also takes `<id or slug>@<version>` */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: date-time
                     * @description The first time of the period, inclusive
                     */
                    from: string;
                    /**
                     * Format: date-time
                     * @description The last time of the period, inclusive; in the past
                     */
                    to: string;
                    /**
                     * Format: uuid
                     * @description Id of the brain to work in, as `X-Brain-Id`. Where both are sent they must agree.
                     */
                    brain_id?: string;
                };
            };
        };
        responses: {
            /** @description The times fire in the background */
            202: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TriggerBackfill"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["BodyTimeout"];
            /** @description The trigger has no schedule, or is paused */
            409: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "triggers.replay": {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
                /** @description Repeating the request with the same key and body returns the same response for 24 hours */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Id or slug; a read also takes `<id or slug>@<version>` */
                id: string;
                /** @description Id of the firing */
                firing_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description Id of the brain to work in, as `X-Brain-Id`. Where both are sent they must agree.
                     */
                    brain_id?: string;
                };
            };
        };
        responses: {
            /** @description No run was started, because the filter is false */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Firing"];
                };
            };
            /** @description The run is started */
            202: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Firing"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["BodyTimeout"];
            /** @description The firing has no event, or the target is missing or switched off */
            409: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "triggers.hook": {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
            };
            path: {
                /** @description Id or slug; a read also takes `<id or slug>@<version>` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The hook */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Hook"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            /** @description The trigger is not of the type webhook */
            409: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "triggers.rotateToken": {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
            };
            path: {
                /** @description Id or slug; a read also takes `<id or slug>@<version>` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /**
                     * @description How long the present token stays valid beside the new one
                     * @default 24
                     */
                    overlap_hours?: number;
                    /**
                     * Format: uuid
                     * @description Id of the brain to work in, as `X-Brain-Id`. Where both are sent they must agree.
                     */
                    brain_id?: string;
                };
            };
        };
        responses: {
            /** @description The hook with its new token */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HookToken"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["BodyTimeout"];
            /** @description The trigger is not of the type webhook */
            409: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "triggers.rotateSecret": {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
            };
            path: {
                /** @description Id or slug; a read also takes `<id or slug>@<version>` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description The secret of the sender. Required for `stripe` and `slack`. Default: one that is made now */
                    secret?: string;
                    /**
                     * @description How long the present secret stays valid beside the new one
                     * @default 24
                     */
                    overlap_hours?: number;
                    /**
                     * Format: uuid
                     * @description Id of the brain to work in, as `X-Brain-Id`. Where both are sent they must agree.
                     */
                    brain_id?: string;
                };
            };
        };
        responses: {
            /** @description The hook */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HookSecret"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["BodyTimeout"];
            /** @description The trigger is not of the type webhook */
            409: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "public.receiveHook": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The token of the hook */
                token: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": unknown;
                "application/x-www-form-urlencoded": {
                    [key: string]: string;
                };
                "application/octet-stream": string;
            };
        };
        responses: {
            /** @description The run has completed, for a hook that waits; or nothing was started, because the filter is false; or the response to a challenge */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HookAnswer"];
                };
            };
            /** @description The run is started */
            202: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HookAccepted"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            /** @description The signature does not fit, or is too old */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["NotFound"];
            408: components["responses"]["BodyTimeout"];
            /** @description The trigger is paused, or its target cannot be started */
            409: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            /** @description The run failed while the sender waited */
            502: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            503: components["responses"]["Unavailable"];
        };
    };
    "automations.graph": {
        parameters: {
            query?: {
                /** @description Page size */
                limit?: number;
                /** @description Number of entries to skip */
                offset?: number;
                is_active?: "true" | "false";
                /** @description Only resources directly in this folder, such as /finance */
                path?: string;
                format?: "json" | "mermaid" | "svg";
            };
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The triggers with their health, and an edge from each to its target */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AutomationGraph"];
                    "image/svg+xml": string;
                    "text/plain": string;
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "browse.list": {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description One of neurons, pathways, receptors, reflexes, skills, triggers, meetings, stakeholder_maps, assets, artifacts, in plural or singular
                     * @enum {string}
                     */
                    type: "neurons" | "neuron" | "pathways" | "pathway" | "receptors" | "receptor" | "reflexes" | "reflex" | "skills" | "skill" | "triggers" | "trigger" | "meetings" | "meeting" | "stakeholder_maps" | "stakeholder_map" | "assets" | "asset" | "artifacts" | "artifact" | "recollections" | "recollection";
                    /** @default 50 */
                    limit?: number;
                    /** @default 0 */
                    offset?: number;
                    /**
                     * @description Adds the complete heads
                     * @default false
                     */
                    full_heads?: boolean;
                    /**
                     * Format: uuid
                     * @description Id of the brain to work in, as `X-Brain-Id`. Where both are sent they must agree.
                     */
                    brain_id?: string;
                };
            };
        };
        responses: {
            /** @description A page of resources */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BrowsePage"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["BodyTimeout"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "browse.tree": {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description `folder:<path>` or `resource:<id>`. Default: the root. */
                    parent_key?: string;
                    /** @description Several keys, instead of `parent_key` */
                    parent_keys?: string[];
                    /**
                     * @description `document` lists documents and the folders that hold some, `broad` lists every kind
                     * @default broad
                     * @enum {string}
                     */
                    tree_profile?: "document" | "broad";
                    /**
                     * @description Maximum of nodes per parent
                     * @default 50
                     */
                    limit?: number;
                    /** @description The `cursor` of the previous page */
                    cursor?: string;
                    /**
                     * Format: uuid
                     * @description Id of the brain to work in, as `X-Brain-Id`. Where both are sent they must agree.
                     */
                    brain_id?: string;
                };
            };
        };
        responses: {
            /** @description The nodes */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResourceTree"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["BodyTimeout"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "resources.tree": {
        parameters: {
            query?: {
                /** @description `document` lists documents only, `broad` lists every kind */
                tree_profile?: "document" | "broad";
                shape?: "rows" | "folders";
                /** @description A folder; includes the folders below it */
                path_prefix?: string;
                /** @description The `cursor` of the previous page */
                cursor?: string;
                /** @description Page size */
                limit?: number;
            };
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The rows or folders */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Tree"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "resources.queryTree": {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /**
                     * @description `document` lists documents only, `broad` lists every kind
                     * @default broad
                     * @enum {string}
                     */
                    tree_profile?: "document" | "broad";
                    /**
                     * @default rows
                     * @enum {string}
                     */
                    shape?: "rows" | "folders";
                    /**
                     * @description A folder; includes the folders below it
                     * @default /
                     */
                    path_prefix?: string;
                    /** @description The `cursor` of the previous page */
                    cursor?: string;
                    /** @default 50 */
                    limit?: number;
                    /**
                     * Format: uuid
                     * @description Id of the brain to work in, as `X-Brain-Id`. Where both are sent they must agree.
                     */
                    brain_id?: string;
                };
            };
        };
        responses: {
            /** @description The rows or folders */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Tree"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["BodyTimeout"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "resources.move": {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    resource_ids?: string[];
                    /** @description Folders to move, with everything below them */
                    folders?: string[];
                    /** @description The target folder */
                    path: string;
                    /**
                     * @description `document` refuses resources that are not documents
                     * @default broad
                     * @enum {string}
                     */
                    move_profile?: "document" | "broad";
                    /**
                     * Format: uuid
                     * @description Id of the brain to work in, as `X-Brain-Id`. Where both are sent they must agree.
                     */
                    brain_id?: string;
                } | {
                    resource_ids: unknown;
                } | {
                    folders: unknown;
                };
            };
        };
        responses: {
            /** @description The new paths */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Moved"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["BodyTimeout"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "assets.ingest": {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
                /** @description Repeating the request with the same key and body returns the same response for 24 hours */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["IngestBody"] | components["schemas"]["IngestBatch"];
                "multipart/form-data": {
                    /** Format: binary */
                    file: string;
                    /** @description Media type of the content. Default: detected from the name and the bytes. */
                    mime_type?: string;
                    file_name?: string;
                    /** @description Default: the title of the document, the file name, or the beginning of the text */
                    title?: string;
                    /** @description Id of the document in its source system. It identifies the document, wherever it is moved. Default: its folder and file name identify it. */
                    source_key?: string;
                    /** @description Folder, such as /finance/invoices; / is the root. At most 1,000 bytes of UTF-8. */
                    path?: string;
                    /**
                     * @description `workspace`, or `brain`: that of the brain context. `core` is refused with 403. Default of a new resource: `brain`.
                     * @enum {string}
                     */
                    scope?: "core" | "workspace" | "brain";
                    description?: string | null;
                    /** @description As JSON */
                    metadata?: {
                        [key: string]: string | number | boolean;
                    };
                    /**
                     * Format: uuid
                     * @description Id of the brain to work in, as `X-Brain-Id`. Where both are sent they must agree.
                     */
                    brain_id?: string;
                };
            };
        };
        responses: {
            /** @description The document has these bytes already, and `updated` names what else changed; or all documents of a batch are stored */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IngestReply"];
                };
            };
            /** @description An asset, or a version of it with new bytes, was created */
            201: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Ingested"];
                };
            };
            /** @description Some documents of a batch are refused */
            207: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IngestedBatch"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["BodyTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "assets.list": {
        parameters: {
            query?: {
                /** @description Page size */
                limit?: number;
                /** @description Number of entries to skip */
                offset?: number;
            };
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of assets */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AssetPage"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "assets.get": {
        parameters: {
            query?: {
                /** @description Reads this version instead of the latest */
                version?: number;
            };
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
            };
            path: {
                /** @description Id or slug; a read also takes `<id or slug>@<version>` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The fields of an asset */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Asset"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "assets.delete": {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
            };
            path: {
                /** @description Id or slug; a read also takes `<id or slug>@<version>` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted, although resources refer to it: `used_by` has the newest 50 of `total` */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeletedInUse"];
                };
            };
            /** @description Deleted; nothing refers to it */
            204: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["BodyTimeout"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "assets.content": {
        parameters: {
            query?: {
                /** @description Reads this version instead of the latest */
                version?: number;
            };
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
            };
            path: {
                /** @description Id or slug */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The content, in its own media type */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
                };
            };
            /** @description The part that `Range` selects */
            206: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
                };
            };
            /** @description The content matches `If-None-Match` */
            304: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            /** @description The range begins beyond the end of the content */
            416: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "assets.restore": {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
            };
            path: {
                /** @description Id or slug; a read also takes `<id or slug>@<version>` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description The version to go back to */
                    version?: number;
                    /** @description Reason for this version */
                    note?: string;
                    /**
                     * Format: uuid
                     * @description Id of the brain to work in, as `X-Brain-Id`. Where both are sent they must agree.
                     */
                    brain_id?: string;
                };
            };
        };
        responses: {
            /** @description The fields of an asset */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Asset"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["BodyTimeout"];
            /** @description Another resource has the slug by now */
            409: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "assets.history": {
        parameters: {
            query?: {
                /** @description Page size */
                limit?: number;
                /** @description Number of entries to skip */
                offset?: number;
            };
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
            };
            path: {
                /** @description Id or slug; a read also takes `<id or slug>@<version>` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of versions */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VersionPage"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "assets.usedBy": {
        parameters: {
            query?: {
                /** @description Page size */
                limit?: number;
                /** @description Number of entries to skip */
                offset?: number;
            };
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
            };
            path: {
                /** @description Id or slug; a read also takes `<id or slug>@<version>` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of resources */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReferringResourcePage"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "assets.diff": {
        parameters: {
            query: {
                /** @description A version number, or `live` for the latest version */
                from: "live" | number;
                /** @description A version number, or `live` for the latest version */
                to: "live" | number;
            };
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
            };
            path: {
                /** @description Id or slug; a read also takes `<id or slug>@<version>` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The differences as an RFC 6902 patch in the shape of the catalog */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Diff"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "artifacts.list": {
        parameters: {
            query?: {
                /** @description Page size */
                limit?: number;
                /** @description Number of entries to skip */
                offset?: number;
                /** @description Only resources directly in this folder, such as /finance */
                path?: string;
            };
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of artifacts */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ArtifactPage"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "artifacts.create": {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
                /** @description Repeating the request with the same key and body returns the same response for 24 hours */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    title: string;
                    /** @description The full text: at most 5,000,000 bytes of UTF-8 */
                    content: string;
                    /** @description Default: text/markdown */
                    media_type?: string;
                    slug?: string;
                    /** @description Folder, such as /finance/invoices; / is the root. At most 1,000 bytes of UTF-8. */
                    path?: string;
                    /**
                     * @description `workspace`, or `brain`: that of the brain context. `core` is refused with 403. Default of a new resource: `brain`.
                     * @enum {string}
                     */
                    scope?: "core" | "workspace" | "brain";
                    description?: string | null;
                    /** @description Text, number and boolean values to filter searches by */
                    metadata?: {
                        [key: string]: string | number | boolean;
                    };
                    /** @description Reason for this version */
                    note?: string;
                    /**
                     * Format: uuid
                     * @description Id of the brain to work in, as `X-Brain-Id`. Where both are sent they must agree.
                     */
                    brain_id?: string;
                };
            };
        };
        responses: {
            /** @description The fields of an artifact */
            201: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Artifact"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["BodyTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "artifacts.get": {
        parameters: {
            query?: {
                /** @description Reads this version instead of the latest */
                version?: number;
            };
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
            };
            path: {
                /** @description Id or slug; a read also takes `<id or slug>@<version>` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The fields of an artifact */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Artifact"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "artifacts.delete": {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
            };
            path: {
                /** @description Id or slug; a read also takes `<id or slug>@<version>` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted, although resources refer to it: `used_by` has the newest 50 of `total` */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeletedInUse"];
                };
            };
            /** @description Deleted; nothing refers to it */
            204: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["BodyTimeout"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "artifacts.update": {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
                /** @description The expected current version. The request fails with 409 if the resource is at another version. */
                "If-Match"?: string;
            };
            path: {
                /** @description Id or slug; a read also takes `<id or slug>@<version>` */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    title?: string;
                    slug?: string;
                    /** @description Folder, such as /finance/invoices; / is the root. At most 1,000 bytes of UTF-8. */
                    path?: string;
                    /**
                     * @description `workspace`, or `brain`: that of the brain context. `core` is refused with 403. Default of a new resource: `brain`.
                     * @enum {string}
                     */
                    scope?: "core" | "workspace" | "brain";
                    is_active?: boolean;
                    ops?: components["schemas"]["PatchOperation"][];
                    /** @description An RFC 7396 merge patch of the same fields as `ops` */
                    merge?: {
                        [key: string]: unknown;
                    };
                    /** @description A change in the format of the kind; stakeholder maps, which need one, and meetings only. Fields of the head may come beside it. */
                    delta?: unknown;
                    /** @description A change of the text; artifacts only. The result may have 5,000,000 bytes of UTF-8. */
                    content?: {
                        replace: string;
                    } | {
                        append: string;
                    } | {
                        edits: {
                            find: string;
                            replace: string;
                        }[];
                    };
                    /** @description The request fails with 409 unless this is the latest version */
                    expected_version?: number;
                    /** @description Reason for this version */
                    note?: string;
                    /**
                     * Format: uuid
                     * @description Id of the brain to work in, as `X-Brain-Id`. Where both are sent they must agree.
                     */
                    brain_id?: string;
                } & ({
                    ops: unknown;
                } | {
                    merge: unknown;
                } | {
                    delta: unknown;
                } | {
                    content: unknown;
                });
            };
        };
        responses: {
            /** @description The fields of an artifact */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Artifact"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["BodyTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "artifacts.restore": {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
            };
            path: {
                /** @description Id or slug; a read also takes `<id or slug>@<version>` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description The version to go back to */
                    version?: number;
                    /** @description Reason for this version */
                    note?: string;
                    /**
                     * Format: uuid
                     * @description Id of the brain to work in, as `X-Brain-Id`. Where both are sent they must agree.
                     */
                    brain_id?: string;
                };
            };
        };
        responses: {
            /** @description The fields of an artifact */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Artifact"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["BodyTimeout"];
            /** @description Another resource has the slug by now */
            409: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "artifacts.history": {
        parameters: {
            query?: {
                /** @description Page size */
                limit?: number;
                /** @description Number of entries to skip */
                offset?: number;
            };
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
            };
            path: {
                /** @description Id or slug; a read also takes `<id or slug>@<version>` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of versions */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VersionPage"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "artifacts.usedBy": {
        parameters: {
            query?: {
                /** @description Page size */
                limit?: number;
                /** @description Number of entries to skip */
                offset?: number;
            };
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
            };
            path: {
                /** @description Id or slug; a read also takes `<id or slug>@<version>` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of resources */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReferringResourcePage"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "artifacts.diff": {
        parameters: {
            query: {
                /** @description A version number, or `live` for the latest version */
                from: "live" | number;
                /** @description A version number, or `live` for the latest version */
                to: "live" | number;
            };
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
            };
            path: {
                /** @description Id or slug; a read also takes `<id or slug>@<version>` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The differences as an RFC 6902 patch in the shape of the catalog */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Diff"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "artifacts.content": {
        parameters: {
            query?: {
                /** @description Reads this version instead of the latest */
                version?: number;
            };
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
            };
            path: {
                /** @description Id or slug */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The content, in its own media type */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
                };
            };
            /** @description The part that `Range` selects */
            206: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
                };
            };
            /** @description The content matches `If-None-Match` */
            304: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            /** @description The range begins beyond the end of the content */
            416: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "resources.dryRun": {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description All fields of a new resource, or the fields to change. They may refer to each other. */
                    resources: {
                        title?: string;
                        slug: string;
                        /** @description Folder, such as /finance/invoices; / is the root. At most 1,000 bytes of UTF-8. */
                        path?: string;
                        /**
                         * @description `workspace`, or `brain`: that of the brain context. `core` is refused with 403. Default of a new resource: `brain`.
                         * @enum {string}
                         */
                        scope?: "core" | "workspace" | "brain";
                        is_active?: boolean;
                        /** @description Reason for this version */
                        note?: string;
                        /** @description The document, validated by the rules of its kind */
                        document?: Record<string, unknown>;
                        /** @description The body of a stakeholder map: `stakeholders` and `edges`. Other kinds have none. */
                        snapshot?: Record<string, unknown>;
                        catalog: string;
                    }[];
                    /**
                     * Format: uuid
                     * @description Id of the brain to work in, as `X-Brain-Id`. Where both are sent they must agree.
                     */
                    brain_id?: string;
                };
            };
        };
        responses: {
            /** @description The result of each resource */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResourceDryRun"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["BodyTimeout"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "resources.list": {
        parameters: {
            query?: {
                /** @description Page size */
                limit?: number;
                /** @description Number of entries to skip */
                offset?: number;
                is_active?: "true" | "false";
                /** @description Only resources directly in this folder, such as /finance */
                path?: string;
            };
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
            };
            path: {
                /** @description Kind of resource, in singular or plural: neurons, pathways, receptors, reflexes, skills, triggers, meetings, stakeholder_maps, assets, artifacts */
                catalog: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of resources */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResourcePage"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "resources.create": {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
                /** @description Repeating the request with the same key and body returns the same response for 24 hours */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Kind of resource, in singular or plural: neurons, pathways, receptors, reflexes, skills, triggers, meetings, stakeholder_maps, assets, artifacts */
                catalog: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    title: string;
                    slug?: string;
                    /** @description Folder, such as /finance/invoices; / is the root. At most 1,000 bytes of UTF-8. */
                    path?: string;
                    /**
                     * @description `workspace`, or `brain`: that of the brain context. `core` is refused with 403. Default of a new resource: `brain`.
                     * @enum {string}
                     */
                    scope?: "core" | "workspace" | "brain";
                    is_active?: boolean;
                    /** @description Reason for this version */
                    note?: string;
                    /** @description The document, validated by the rules of its kind */
                    document?: Record<string, unknown>;
                    /** @description The body of a stakeholder map: `stakeholders` and `edges`. Other kinds have none. */
                    snapshot?: Record<string, unknown>;
                    /**
                     * Format: uuid
                     * @description Id of the brain to work in, as `X-Brain-Id`. Where both are sent they must agree.
                     */
                    brain_id?: string;
                };
            };
        };
        responses: {
            /** @description The resource */
            201: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Resource"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["BodyTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "resources.get": {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
            };
            path: {
                /** @description Kind of resource, in singular or plural: neurons, pathways, receptors, reflexes, skills, triggers, meetings, stakeholder_maps, assets, artifacts */
                catalog: string;
                /** @description Id or slug of the resource */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The resource */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Resource"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "resources.delete": {
        parameters: {
            query?: {
                /** @description Whether to remove the content permanently. Default: false. */
                purge?: "true" | "false";
            };
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
            };
            path: {
                /** @description Kind of resource, in singular or plural: neurons, pathways, receptors, reflexes, skills, triggers, meetings, stakeholder_maps, assets, artifacts */
                catalog: string;
                /** @description Id or slug of the resource */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted, although resources refer to it: `used_by` has the newest 50 of `total` */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeletedInUse"];
                };
            };
            /** @description Deleted; the job removes the content */
            202: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobAccepted"];
                };
            };
            /** @description Deleted; nothing refers to it */
            204: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["BodyTimeout"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "resources.update": {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
                /** @description The expected current version. The request fails with 409 if the resource is at another version. */
                "If-Match"?: string;
            };
            path: {
                /** @description Kind of resource, in singular or plural: neurons, pathways, receptors, reflexes, skills, triggers, meetings, stakeholder_maps, assets, artifacts */
                catalog: string;
                /** @description Id or slug of the resource */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    title?: string;
                    slug?: string;
                    /** @description Folder, such as /finance/invoices; / is the root. At most 1,000 bytes of UTF-8. */
                    path?: string;
                    /**
                     * @description `workspace`, or `brain`: that of the brain context. `core` is refused with 403. Default of a new resource: `brain`.
                     * @enum {string}
                     */
                    scope?: "core" | "workspace" | "brain";
                    is_active?: boolean;
                    ops?: components["schemas"]["PatchOperation"][];
                    /** @description An RFC 7396 merge patch of the same fields as `ops` */
                    merge?: {
                        [key: string]: unknown;
                    };
                    /** @description A change in the format of the kind; stakeholder maps, which need one, and meetings only. Fields of the head may come beside it. */
                    delta?: unknown;
                    /** @description A change of the text; artifacts only. The result may have 5,000,000 bytes of UTF-8. */
                    content?: {
                        replace: string;
                    } | {
                        append: string;
                    } | {
                        edits: {
                            find: string;
                            replace: string;
                        }[];
                    };
                    /** @description The request fails with 409 unless this is the latest version */
                    expected_version?: number;
                    /** @description Reason for this version */
                    note?: string;
                    /**
                     * Format: uuid
                     * @description Id of the brain to work in, as `X-Brain-Id`. Where both are sent they must agree.
                     */
                    brain_id?: string;
                } & ({
                    ops: unknown;
                } | {
                    merge: unknown;
                } | {
                    delta: unknown;
                } | {
                    content: unknown;
                });
            };
        };
        responses: {
            /** @description The resource */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Resource"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["BodyTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "resources.restore": {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
            };
            path: {
                /** @description Kind of resource, in singular or plural: neurons, pathways, receptors, reflexes, skills, triggers, meetings, stakeholder_maps, assets, artifacts */
                catalog: string;
                /** @description Id or slug of the resource */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description The version to go back to */
                    version?: number;
                    /** @description Reason for this version */
                    note?: string;
                    /**
                     * Format: uuid
                     * @description Id of the brain to work in, as `X-Brain-Id`. Where both are sent they must agree.
                     */
                    brain_id?: string;
                };
            };
        };
        responses: {
            /** @description The resource */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Resource"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["BodyTimeout"];
            /** @description Another resource has the slug by now */
            409: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "resources.history": {
        parameters: {
            query?: {
                /** @description Page size */
                limit?: number;
                /** @description Number of entries to skip */
                offset?: number;
            };
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
            };
            path: {
                /** @description Kind of resource, in singular or plural: neurons, pathways, receptors, reflexes, skills, triggers, meetings, stakeholder_maps, assets, artifacts */
                catalog: string;
                /** @description Id or slug of the resource */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of versions */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VersionPage"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "resources.getVersion": {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
            };
            path: {
                /** @description Kind of resource, in singular or plural: neurons, pathways, receptors, reflexes, skills, triggers, meetings, stakeholder_maps, assets, artifacts */
                catalog: string;
                /** @description Id or slug of the resource */
                id: string;
                version: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The resource */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Resource"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "resources.usedBy": {
        parameters: {
            query?: {
                /** @description Page size */
                limit?: number;
                /** @description Number of entries to skip */
                offset?: number;
            };
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
            };
            path: {
                /** @description Kind of resource, in singular or plural: neurons, pathways, receptors, reflexes, skills, triggers, meetings, stakeholder_maps, assets, artifacts */
                catalog: string;
                /** @description Id or slug of the resource */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of resources */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReferringResourcePage"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "resources.diff": {
        parameters: {
            query: {
                /** @description A version number, or `live` for the latest version */
                from: "live" | number;
                /** @description A version number, or `live` for the latest version */
                to: "live" | number;
            };
            header?: {
                /** @description Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look. */
                "X-Brain-Id"?: string;
            };
            path: {
                /** @description Kind of resource, in singular or plural: neurons, pathways, receptors, reflexes, skills, triggers, meetings, stakeholder_maps, assets, artifacts */
                catalog: string;
                /** @description Id or slug of the resource */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The differences as an RFC 6902 patch */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Diff"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
}
