import json
import os

from openapi_client import ApiClient, Configuration, JobsApi
from openapi_client.exceptions import NotFoundException

job_id = os.environ["GANGLION_JOB"]
settings = Configuration(host=os.environ["GANGLION_URL"], access_token=os.environ["GANGLION_API_KEY"])
api = JobsApi(ApiClient(settings))

page = api.jobs_list()
job = api.jobs_get(job_id)
stream = api.jobs_stream_without_preload_content(job_id).data.decode()
try:
    api.jobs_get("no-such-job")
    error = None
except NotFoundException as refusal:
    error = refusal.data.code

print(
    json.dumps(
        {
            "jobs": [one.job_id for one in page.jobs],
            "status": job.status,
            "stream": stream,
            "error": error,
        }
    )
)
