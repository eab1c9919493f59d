package io.entroq.consoletests;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A server as a process, with a queue in memory. For one thread. */
final class ServedQueue implements AutoCloseable {
  private static final Pattern HTTP = Pattern.compile("HTTP on port (\\d+); .*");
  private static final int END_SECONDS_MAX = 60;

  private final Process process;
  private final int port;
  private final HttpClient client = HttpClient.newHttpClient();

  private ServedQueue(Process process, int port) {
    this.process = process;
    this.port = port;
  }

  /**
   * Starts a server and waits until it serves.
   *
   * @param options of the command, except the addresses to listen on
   */
  static ServedQueue start(String... options) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-Xmx256m",
                "-jar",
                System.getProperty("entroq.test.jar"),
                "serve",
                "--host=127.0.0.1",
                "--port=0",
                "--http-port=0",
                "--warm-up=0"));
    command.addAll(List.of(options));
    // A file, since a full pipe would block the server.
    Path errors = Files.createTempFile("server", ".log");
    Process process = new ProcessBuilder(command).redirectError(errors.toFile()).start();
    BufferedReader out =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    for (String line = out.readLine(); line != null; line = out.readLine()) {
      Matcher http = HTTP.matcher(line);
      if (http.matches()) {
        return new ServedQueue(process, Integer.parseInt(http.group(1)));
      }
    }
    throw new IOException("the server did not start: " + Files.readString(errors));
  }

  /**
   * The URL of a page.
   *
   * @param path such as {@code /queues}; empty for the overview
   */
  String url(String path) {
    return "http://localhost:" + port + "/console" + path;
  }

  /** Calls a method of the REST API, which must succeed. */
  String post(String path, String json) throws IOException, InterruptedException {
    HttpResponse<String> response =
        client.send(
            HttpRequest.newBuilder(URI.create("http://localhost:" + port + path))
                .header("content-type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(json))
                .build(),
            HttpResponse.BodyHandlers.ofString());
    assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
    return response.body();
  }

  /** Inserts tasks with values that are JSON. */
  void insert(String queue, String... values) throws IOException, InterruptedException {
    List<String> inserts = new ArrayList<>();
    for (String value : values) {
      inserts.add("{\"queue\":\"%s\",\"value\":%s}".formatted(queue, value));
    }
    post(
        "/api/v0/modify",
        "{\"claimantId\":\"test\",\"inserts\":[" + String.join(",", inserts) + "]}");
  }

  @Override
  public void close() {
    process.destroy();
    try {
      if (!process.waitFor(END_SECONDS_MAX, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
