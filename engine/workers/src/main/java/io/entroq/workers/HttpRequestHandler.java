package io.entroq.workers;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.entroq.api.EntroQException;
import io.entroq.api.Task;
import io.entroq.api.Value;
import io.entroq.api.worker.Handler;
import io.entroq.api.worker.Outcome;
import io.entroq.api.worker.WorkContext;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Sends the HTTP request that each task describes.
 *
 * <p>A task has the value {@code {"method", "url", "header", "body", "timeout", "outbox",
 * "errbox"}}: the method, by default GET; headers as lists of values; the body in base64; the time
 * limit in nanoseconds. Only the URL is needed. The result is {@code {"status_code", "header",
 * "body", "elapsed"}}, or with {@code "error"} if there was no response. These are those of
 * EntroQ's HTTP worker; {@code "truncated": true} is added if the body is longer than the limit.
 *
 * <p>A response of any status is a success. Redirects are not followed, so that they lead nowhere
 * that is not allowed; the result has the {@code Location}. Proxies are not used.
 *
 * <p>A request may be sent more than once. It has a header {@code Idempotency-Key}, unless the task
 * has one: the same each time for a task, and another one for each task.
 */
public final class HttpRequestHandler implements Handler<Value> {
  /** The default and largest {@code timeout}. */
  public static final Duration TIMEOUT_DEFAULT = Duration.ofSeconds(30);

  /** The default for the bytes of a body that a result keeps: 512 KiB. */
  public static final int BODY_BYTES_DEFAULT = 512 * 1024;

  /** A result has more characters than its body has bytes, and must not be larger than 1 MiB. */
  private static final int BODY_BYTES_MAX = 640 * 1024;

  private static final Duration TIME_MAX = Duration.ofHours(1);
  private static final int HEADER_CHARS_MAX = 64 * 1024;
  private static final String KEY = "Idempotency-Key";

  /**
   * Of one connection, and not of a request. The client lets users set them, and so tell the server
   * another end of the body than the client does.
   */
  private static final Set<String> HOP_BY_HOP =
      Set.of(
          "keep-alive",
          "proxy-authorization",
          "proxy-connection",
          "te",
          "trailer",
          "transfer-encoding");

  private final Destinations destinations;
  private final Results results;
  private final Duration timeoutMax;
  private final int bodyBytesMax;
  private final HttpClient client;

  @SuppressWarnings("ArrayRecordComponent") // Only read, from JSON.
  private record Input(
      String method,
      String url,
      Map<String, List<String>> header,
      byte[] body,
      long timeout,
      String outbox,
      String errbox) {}

  @SuppressWarnings("ArrayRecordComponent") // Only written, as JSON.
  private record Output(
      @JsonProperty("status_code") int statusCode,
      Map<String, List<String>> header,
      byte[] body,
      @JsonInclude(JsonInclude.Include.NON_EMPTY) String error,
      long elapsed,
      @JsonInclude(JsonInclude.Include.NON_DEFAULT) boolean truncated) {}

  private HttpRequestHandler(
      Destinations destinations,
      Results results,
      Duration timeoutMax,
      int bodyBytesMax,
      HttpClient client) {
    this.destinations = Objects.requireNonNull(destinations, "destinations");
    this.results = Objects.requireNonNull(results, "results");
    this.timeoutMax = timeoutMax;
    this.bodyBytesMax = bodyBytesMax;
    this.client = client;
  }

  /** Sends requests to these destinations, with the default limits. */
  public static HttpRequestHandler to(Destinations destinations, Results results) {
    HttpClient client =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.NEVER)
            // A proxy would look up the host again.
            .proxy(HttpClient.Builder.NO_PROXY)
            .build();
    return new HttpRequestHandler(
        destinations, results, TIMEOUT_DEFAULT, BODY_BYTES_DEFAULT, client);
  }

  /**
   * The same with other limits.
   *
   * @param timeoutMax from 1 ms to 1 hour: how long a request may take from the beginning to the
   *     end of its response. A task may ask for less
   * @param bodyBytesMax from 0 to 655,360: how much of a body a result keeps; the rest is not read
   * @throws EntroQException.InvalidArgument if one is out of range
   */
  public HttpRequestHandler withLimits(Duration timeoutMax, int bodyBytesMax) {
    Limits.time("timeout", timeoutMax, TIME_MAX);
    Limits.count("body bytes", bodyBytesMax, 0, BODY_BYTES_MAX);
    return new HttpRequestHandler(destinations, results, timeoutMax, bodyBytesMax, client);
  }

  @Override
  public Outcome handle(WorkContext<Value> work) throws InterruptedException {
    Task task = work.task();
    Input input = Json.read(work.value(), Input.class);
    Results.Destination destination = results.of(task, input.outbox(), input.errbox());
    HttpRequest request = request(task, input);
    Duration timeout = timeout(input);
    long startNanos = System.nanoTime();
    try {
      destinations.check(request.uri());
      HttpResponse<BoundedBody.Content> response = send(request, timeout);
      // The client has looked it up as well: this is what it has found, as long as the JVM keeps
      // it.
      destinations.check(request.uri());
      return destination.done(output(response, System.nanoTime() - startNanos));
    } catch (IOException e) {
      String reason = Results.shorten(e.getMessage() == null ? e.toString() : e.getMessage());
      boolean mayHelp = !(e instanceof Destinations.RefusedException);
      return mayHelp && results.repeats(task)
          ? Outcome.retry(reason)
          : destination.failed(
              "", new Output(0, null, null, reason, System.nanoTime() - startNanos, false));
    }
  }

  private Duration timeout(Input input) {
    if (input.timeout() < 0) {
      throw Json.malformed("timeout must not be negative, is " + input.timeout());
    }
    Duration asked = Duration.ofNanos(input.timeout());
    return asked.isZero() || asked.compareTo(timeoutMax) > 0 ? timeoutMax : asked;
  }

  private static HttpRequest request(Task task, Input input) {
    if (input.url() == null || input.url().isEmpty()) {
      throw Json.malformed("the task has no url");
    }
    String method = input.method() == null || input.method().isEmpty() ? "GET" : input.method();
    byte[] body = input.body() == null ? new byte[0] : input.body();
    try {
      HttpRequest.Builder request =
          HttpRequest.newBuilder(URI.create(input.url()))
              .method(
                  method,
                  body.length == 0
                      ? HttpRequest.BodyPublishers.noBody()
                      : HttpRequest.BodyPublishers.ofByteArray(body))
              .header(KEY, Json.workKey(task));
      Map<String, List<String>> headers = input.header() == null ? Map.of() : input.header();
      for (Map.Entry<String, List<String>> header : headers.entrySet()) {
        addHeader(request, header.getKey(), header.getValue());
      }
      return request.build();
    } catch (IllegalArgumentException e) {
      // Also what the client reserves for itself, such as Host and Content-Length.
      throw Json.malformed("the task is no valid request: " + e.getMessage());
    }
  }

  private static void addHeader(HttpRequest.Builder request, String name, List<String> values) {
    if (values == null || values.contains(null)) {
      throw Json.malformed("header " + name + " must be a list of texts");
    }
    if (HOP_BY_HOP.contains(name.toLowerCase(Locale.ROOT))) {
      throw Json.malformed("header " + name + " is not possible here");
    }
    boolean isFirst = name.equalsIgnoreCase(KEY);
    for (String value : values) {
      if (isFirst) {
        request.setHeader(name, value);
        isFirst = false;
      } else {
        request.header(name, value);
      }
    }
  }

  private HttpResponse<BoundedBody.Content> send(HttpRequest request, Duration timeout)
      throws IOException, InterruptedException {
    CompletableFuture<HttpResponse<BoundedBody.Content>> response =
        client.sendAsync(request, info -> new BoundedBody(bodyBytesMax));
    try {
      // The limit of HttpRequest ends with the headers of the response.
      return response.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof IOException failure ? failure : new IOException(e.getCause());
    } catch (TimeoutException e) {
      throw new IOException("no complete response within " + timeout.toMillis() + " ms", e);
    } finally {
      // Closes the connection, if it is still in use.
      response.cancel(true);
    }
  }

  private static Output output(HttpResponse<BoundedBody.Content> response, long elapsedNanos)
      throws IOException {
    Map<String, List<String>> headers = new TreeMap<>();
    int chars = 0;
    for (Map.Entry<String, List<String>> header : response.headers().map().entrySet()) {
      headers.put(canonical(header.getKey()), header.getValue());
      chars += header.getKey().length() + header.getValue().stream().mapToInt(String::length).sum();
    }
    if (chars > HEADER_CHARS_MAX) {
      throw new IOException(
          "the response has headers of %,d characters; at most %,d are taken"
              .formatted(chars, HEADER_CHARS_MAX));
    }
    BoundedBody.Content body = response.body();
    return new Output(
        response.statusCode(), headers, body.bytes(), "", elapsedNanos, body.isTruncated());
  }

  /** As programs in Go look for it: {@code Content-Type}. */
  private static String canonical(String name) {
    StringBuilder text = new StringBuilder(name.toLowerCase(Locale.ROOT));
    for (int i = 0; i < text.length(); i++) {
      if (i == 0 || text.charAt(i - 1) == '-') {
        text.setCharAt(i, Character.toUpperCase(text.charAt(i)));
      }
    }
    return text.toString();
  }
}
