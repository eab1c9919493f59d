package io.entroq.consoletests;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.openqa.selenium.json.Json;

/**
 * A queue on this machine as programs use it over HTTP, and where people find it. Every call must
 * succeed. For one thread.
 */
class QueueApi {
  private static final String WORKER = "worker 7";

  private final HttpClient client = HttpClient.newHttpClient();
  private final Json json = new Json();
  private final int port;

  QueueApi(int port) {
    this.port = port;
  }

  /**
   * The URL of a page.
   *
   * @param path such as {@code /queues}; empty for the overview
   */
  String url(String path) {
    return "http://localhost:" + port + "/console" + path;
  }

  /** Inserts tasks with values that are JSON. */
  void insert(String queue, String... values) {
    List<String> inserts = new ArrayList<>();
    for (String value : values) {
      inserts.add("{\"queue\":\"%s\",\"value\":%s}".formatted(queue, value));
    }
    modify("test", "\"inserts\":[" + String.join(",", inserts) + "]");
  }

  /** The tasks of a queue. */
  List<Map<String, Object>> tasks(String queue) {
    return list(send("GET", "/api/v0/tasks?queue=" + encoded(queue), ""), "tasks");
  }

  /** The id of the only task of a queue. */
  String id(String queue) {
    return id(tasks(queue).get(0));
  }

  private static String id(Map<String, Object> task) {
    return (String) task.get("id");
  }

  /**
   * Writes the rules of a policy or limiter.
   *
   * @param kind queue, prefix or limiter
   * @param rules as JSON
   */
  void put(String kind, String name, String rules) {
    send("PUT", "/api/entroq/policies/" + encoded(name) + "?kind=" + kind, rules);
  }

  /** The queue's own policies and pauses; empty if it has none. */
  List<Map<String, Object>> policies(String queue) {
    return list(send("GET", "/api/entroq/policies", ""), "policies").stream()
        .filter(each -> ((Map<?, ?>) each.get("policy")).get("name").equals(queue))
        .toList();
  }

  /** Whether a worker gets a task from a queue. It then has it for a minute. */
  boolean canClaim(String queue) {
    return !claim(queue).isEmpty();
  }

  @SuppressWarnings("unchecked")
  private Map<String, Object> claim(String queue) {
    String claim =
        "{\"claimantId\":\"%s\",\"queues\":[\"%s\"],\"durationMs\":\"60000\"}"
            .formatted(WORKER, queue);
    return (Map<String, Object>)
        send("POST", "/api/v0/claim", claim).getOrDefault("task", Map.of());
  }

  /** Inserts tasks that a worker fails at for good, each with one of the errors. */
  void die(String queue, String... errors) {
    send("PUT", "/api/entroq/policies/" + encoded(queue), "{\"attemptsMax\":1}");
    for (String error : errors) {
      insert(queue, "{\"to\":\"ann\"}");
      Map<String, Object> task = claim(queue);
      modify(
          WORKER,
          "\"fails\":[{\"id\":{\"id\":\"%s\",\"version\":%s,\"queue\":\"%s\"},\"err\":\"%s\"}]"
              .formatted(id(task), task.get("version"), queue, error));
    }
  }

  /** Deletes a task. */
  void delete(Map<String, Object> task) {
    modify(
        "test",
        "\"deletes\":[{\"id\":\"%s\",\"version\":%s,\"queue\":\"%s\"}]"
            .formatted(id(task), task.get("version"), task.get("queue")));
  }

  /** Whether the server has seen a failure: it begins to watch soon after its start. */
  boolean hasSeenFailures() {
    return !list(send("GET", "/api/entroq/insight/failures", ""), "failures").isEmpty();
  }

  private void modify(String claimant, String changes) {
    send("POST", "/api/v0/modify", "{\"claimantId\":\"%s\",%s}".formatted(claimant, changes));
  }

  private Map<String, Object> send(String verb, String path, String body) {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://localhost:" + port + path))
            .header("content-type", "application/json")
            .method(verb, HttpRequest.BodyPublishers.ofString(body))
            .build();
    try {
      HttpResponse<String> response = client.send(request, HttpResponse.BodyHandlers.ofString());
      assertThat(response.statusCode()).as("%s: %s", path, response.body()).isEqualTo(200);
      return json.toType(response.body(), Json.MAP_TYPE);
    } catch (IOException e) {
      throw new AssertionError(path + " has no answer", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(path + " has no answer", e);
    }
  }

  @SuppressWarnings("unchecked")
  private static List<Map<String, Object>> list(Map<String, Object> response, String name) {
    return (List<Map<String, Object>>) response.getOrDefault(name, List.of());
  }

  private static String encoded(String name) {
    return URLEncoder.encode(name, StandardCharsets.UTF_8);
  }
}
