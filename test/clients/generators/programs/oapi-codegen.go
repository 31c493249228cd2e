package main

import (
	"context"
	"encoding/json"
	"io"
	"log"
	"net/http"
	"os"

	client "ganglion.example/generated/client"
)

func main() {
	ctx := context.Background()
	jobID := os.Getenv("GANGLION_JOB")
	authorize := func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+os.Getenv("GANGLION_API_KEY"))
		return nil
	}
	api, err := client.NewClientWithResponses(os.Getenv("GANGLION_URL"), client.WithRequestEditorFn(authorize))
	check(err)

	page, err := api.JobsListWithResponse(ctx, nil)
	check(err)
	jobs := []string{}
	for _, job := range page.JSON200.Jobs {
		jobs = append(jobs, job.JobId)
	}
	job, err := api.JobsGetWithResponse(ctx, jobID, nil)
	check(err)
	response, err := api.JobsStream(ctx, jobID, nil)
	check(err)
	stream, err := io.ReadAll(response.Body)
	check(err)
	missing, err := api.JobsGetWithResponse(ctx, "no-such-job", nil)
	check(err)

	check(json.NewEncoder(os.Stdout).Encode(map[string]any{
		"jobs": jobs, "status": job.JSON200.Status, "stream": string(stream), "error": missing.JSON404.Code,
	}))
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
