package main

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log"
	"os"

	client "ganglion.example/generated/client"
)

func main() {
	settings := client.NewConfiguration()
	settings.Servers = client.ServerConfigurations{{URL: os.Getenv("GANGLION_URL")}}
	api := client.NewAPIClient(settings).JobsAPI
	ctx := context.WithValue(context.Background(), client.ContextAccessToken, os.Getenv("GANGLION_API_KEY"))
	jobID := os.Getenv("GANGLION_JOB")

	page, _, err := api.JobsList(ctx).Execute()
	check(err)
	jobs := []string{}
	for _, job := range page.Jobs {
		jobs = append(jobs, job.JobId)
	}
	job, _, err := api.JobsGet(ctx, jobID).Execute()
	check(err)

	// The client cannot parse the text as one event, and returns it with the response.
	_, response, _ := api.JobsStream(ctx, jobID).Execute()
	stream, err := io.ReadAll(response.Body)
	check(err)

	_, _, err = api.JobsGet(ctx, "no-such-job").Execute()
	var failure *client.GenericOpenAPIError
	if !errors.As(err, &failure) {
		log.Fatal(err)
	}
	refusal := failure.Model().(client.Error)

	check(json.NewEncoder(os.Stdout).Encode(map[string]any{
		"jobs": jobs, "status": job.Status, "stream": string(stream), "error": refusal.Code,
	}))
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
