import java.util.List;
import java.util.Map;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.JSON;
import org.openapitools.client.api.JobsApi;
import org.openapitools.client.model.Error;
import org.openapitools.client.model.JobPage;

public class Read {
  public static void main(String[] args) throws Exception {
    String jobId = System.getenv("GANGLION_JOB");
    ApiClient client = new ApiClient();
    client.setBasePath(System.getenv("GANGLION_URL"));
    client.setBearerToken(System.getenv("GANGLION_API_KEY"));
    JobsApi api = new JobsApi(client);

    JobPage page = list(api);
    List<String> jobs = page.getJobs().stream().map(job -> job.getJobId()).toList();
    String status = api.jobsGet(jobId, null).getStatus().getValue();
    String stream = api.jobsStreamCall(jobId, null, null, null).execute().body().string();
    System.out.println(JSON.serialize(Map.of("jobs", jobs, "status", status, "stream", stream, "error", readError(api))));
  }

  private static JobPage list(JobsApi api) throws ApiException {
    return api.jobsList(
        null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null,
        null, null);
  }

  private static String readError(JobsApi api) {
    try {
      api.jobsGet("no-such-job", null);
      return "none";
    } catch (ApiException error) {
      return JSON.<Error>deserialize(error.getResponseBody(), Error.class).getCode();
    }
  }
}
