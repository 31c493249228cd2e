import json
import os

from ganglion_client import AuthenticatedClient
from ganglion_client.api.jobs import jobs_get, jobs_list, jobs_stream
from ganglion_client.models import Error, JobDetail, JobPage

job_id = os.environ["GANGLION_JOB"]
client = AuthenticatedClient(base_url=os.environ["GANGLION_URL"], token=os.environ["GANGLION_API_KEY"])

page = jobs_list.sync(client=client)
job = jobs_get.sync(job_id, client=client)
missing = jobs_get.sync("no-such-job", client=client)
assert isinstance(page, JobPage) and isinstance(job, JobDetail) and isinstance(missing, Error)

# The generated function parses the response as one event. The HTTP client returns the text.
request = jobs_stream._get_kwargs(job_id)
stream = client.get_httpx_client().request(**request).text

print(
    json.dumps(
        {
            "jobs": [one.job_id for one in page.jobs],
            "status": job.status,
            "stream": stream,
            "error": missing.code,
        }
    )
)
