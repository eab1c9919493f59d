package io.entroq.system.load;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.protobuf.Message;
import io.entroq.api.Claim;
import io.entroq.api.EntroQException;
import io.entroq.api.Modification;
import io.entroq.api.ModifyResult;
import io.entroq.api.Task;
import io.entroq.api.TaskId;
import io.entroq.api.TaskQuery;
import io.entroq.api.TaskRef;
import io.entroq.client.translation.WireRequests;
import io.entroq.client.translation.WireTasks;
import io.entroq.client.transport.ServerFeatures;
import io.entroq.codec.wire.edge.ClaimResponse;
import io.entroq.codec.wire.edge.ModifyResponse;
import io.entroq.codec.wire.edge.TasksResponse;
import io.entroq.service.protojson.Defaults;
import io.entroq.service.protojson.JsonReader;
import io.entroq.service.protojson.JsonWriter;
import java.net.ConnectException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Plain requests over HTTP to one member. They have no identity and are not retried, so a lost
 * answer leaves their outcome unknown. Any thread.
 */
public final class PlainHttp implements QueueCalls {
  /** After which it hangs up. */
  private static final Duration ANSWER_MAX = Duration.ofSeconds(20);

  /** Claims of several tasks, and claims within a Modify. */
  private static final ServerFeatures FEATURES = new ServerFeatures(1 << 1 | 1 << 2);

  private static final int OK = 200;
  private static final int CONFLICT = 409;

  /** A task that a Modify names and that is not there, in the details of an error. */
  private static final Pattern MISSING =
      Pattern.compile(
          "\"type\":\"(CHANGE|DELETE)\",\"id\":\\{\"id\":\"([^\"]+)\",\"version\":(\\d+)");

  private final HttpClient client =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(ANSWER_MAX)
          .build();
  private final String server;
  private final WireRequests requests;

  /**
   * @param server host and port
   * @param claimant of all tasks
   */
  public PlainHttp(String server, String claimant) {
    this.server = server;
    requests = new WireRequests(claimant, FEATURES, System::currentTimeMillis);
  }

  @Override
  public CompletableFuture<List<Task>> claim(Claim claim) {
    HttpRequest.Builder request =
        post(claim.maxWait().isZero() ? "claim" : "claim/wait", requests.claim(claim).build());
    if (!claim.maxWait().isZero()) {
      request.header(
          "X-Server-Timeout",
          String.format(Locale.ROOT, "%.3f", claim.maxWait().toMillis() / 1_000.0));
    }
    return send(
        request,
        body -> WireTasks.claimed(read(body, ClaimResponse.newBuilder()).build()),
        PlainHttp::failure);
  }

  @Override
  public CompletableFuture<ModifyResult> modify(Modification modification) {
    return send(
        post("modify", requests.modify(modification).build()),
        body -> WireTasks.committed(read(body, ModifyResponse.newBuilder()).build()),
        PlainHttp::refusal);
  }

  @Override
  public CompletableFuture<List<Task>> tasks(TaskQuery query) {
    String ids =
        query.ids().stream()
            .map(id -> "taskId=" + URLEncoder.encode(id.text(), UTF_8))
            .collect(Collectors.joining("&"));
    return send(
        HttpRequest.newBuilder(uri("tasks?" + ids)).GET(),
        body -> WireTasks.of(read(body, TasksResponse.newBuilder()).getTasksList()),
        PlainHttp::failure);
  }

  private URI uri(String path) {
    return URI.create("http://" + server + "/api/v0/" + path);
  }

  private HttpRequest.Builder post(String path, Message message) {
    return HttpRequest.newBuilder(uri(path))
        .header("Content-Type", "application/json")
        .POST(HttpRequest.BodyPublishers.ofString(JsonWriter.write(message, Defaults.OMITTED)));
  }

  private static <B extends Message.Builder> B read(byte[] json, B message) {
    JsonReader.read(json, message);
    return message;
  }

  /**
   * @param answer for a body
   * @param refused for another status
   */
  private <T> CompletableFuture<T> send(
      HttpRequest.Builder request,
      Function<byte[], ? extends T> answer,
      Function<HttpResponse<byte[]>, ? extends T> refused) {
    return client
        .sendAsync(
            request.header("Entroq-Protocol", "2").timeout(ANSWER_MAX).build(),
            HttpResponse.BodyHandlers.ofByteArray())
        .handle(
            (response, e) -> {
              if (e != null) {
                throw lost(e instanceof CompletionException wrapped ? wrapped.getCause() : e);
              }
              return response.statusCode() == OK
                  ? answer.apply(response.body())
                  : refused.apply(response);
            });
  }

  private static EntroQException lost(Throwable cause) {
    return cause instanceof ConnectException
        ? new EntroQException.Unavailable("no connection", cause)
        : new EntroQException.OutcomeUnknown("no answer: " + cause);
  }

  /** The failure that a status tells; only these promise that nothing was done. */
  private static <T> T failure(HttpResponse<byte[]> response) {
    String text = response.statusCode() + ": " + new String(response.body(), UTF_8);
    switch (response.statusCode()) {
      case 400 -> throw new EntroQException.InvalidArgument(text);
      case 429 -> throw new EntroQException.ResourceExhausted(text);
      case 503 -> throw new EntroQException.Unavailable(text);
      default -> throw new EntroQException.OutcomeUnknown(text);
    }
  }

  private static ModifyResult refusal(HttpResponse<byte[]> response) {
    if (response.statusCode() != CONFLICT) {
      return failure(response);
    }
    List<TaskRef> changes = new ArrayList<>();
    List<TaskRef> deletes = new ArrayList<>();
    Matcher missing = MISSING.matcher(new String(response.body(), UTF_8));
    while (missing.find()) {
      TaskRef task =
          new TaskRef(TaskId.of(missing.group(2)), Integer.parseInt(missing.group(3)), "");
      (missing.group(1).equals("CHANGE") ? changes : deletes).add(task);
    }
    return new ModifyResult.DependencyFailure(List.of(), changes, deletes, List.of(), List.of());
  }

  /** Connections end with the garbage collection. */
  @Override
  public void close() {}
}
