package io.entroq.server.cli.queue;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.entroq.server.cli.Cli;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DocCommandsTest {
  @TempDir Path temporary;

  private Path data;

  @BeforeEach
  void fill() {
    data = temporary.resolve("data");
    run("doc-put", "-n", "config", "-k", "b", "-v", "2")
        .assertGoodWith("created the data directory");
    run("doc-put", "-n", "config", "-k", "a", "-K", "z", "-v", "{\"x\":1}");
    run("doc-put", "-n", "other", "-k", "a");
  }

  private Cli run(String command, Object... args) {
    return Cli.on(data, command, args);
  }

  @Test
  void shouldListDocsByKey() {
    List<JsonNode> docs = run("docs", "-n", "config").assertGood().lines();
    assertThat(docs).extracting(doc -> doc.get("key").asText()).containsExactly("a", "b");
    assertThat(docs.get(0).fieldNames())
        .toIterable()
        .containsExactly(
            "namespace",
            "id",
            "version",
            "claimant",
            "at",
            "key",
            "secondary_key",
            "content",
            "created",
            "modified");
    assertThat(docs.get(0).get("content").toString()).isEqualTo("{\"x\":1}");
    assertThat(docs.get(0).get("secondary_key").asText()).isEqualTo("z");
    assertThat(run("docs", "-n", "config", "-k", "b").lines()).hasSize(1);
    assertThat(run("docs", "-n", "config", "-K", "b").lines()).hasSize(1);
    assertThat(run("docs", "-n", "config", "-l", "1").lines()).hasSize(1);
    JsonNode bare = run("docs", "-n", "config", "-V", "-l", "1").lines().get(0);
    assertThat(bare.get("content").isNull()).isTrue();
    String id = docs.get(1).get("id").asText();
    assertThat(run("docs", "-n", "config", "-i", id, "-i", "none").lines()).hasSize(1);
  }

  @Test
  void shouldPrintNamespaceStats() {
    assertThat(run("ns").assertGood().out().lines())
        .containsExactly("NAMESPACE  SIZE  CLAIMED", "config     2     0", "other      1     0");
    assertThat(run("namespaces", "-j", "-n", "config").assertGood().json().toString())
        .isEqualTo("{\"config\":{\"name\":\"config\",\"size\":2,\"claimed\":0}}");
    assertThat(run("ns", "-p", "o", "-l", "1").assertGood().out().lines()).hasSize(2);
    run("ns", "-l", "-1").assertMisused("-l -1");
  }

  @Test
  void shouldDeleteADoc() {
    JsonNode doc = run("docs", "-n", "other").lines().get(0);
    String id = doc.get("id").asText();
    assertThat(run("doc-rm", "-n", "other", "-i", id).assertGood().out())
        .isEqualTo("deleted doc other/" + id + "@0\n");
    run("doc-rm", "-n", "other", "-i", id).assertFailed("there is no doc " + id);
    assertThat(run("ns", "-n", "other").assertGood().out().lines()).hasSize(1);
  }

  @Test
  void shouldRejectInvalidCommandLine() {
    run("docs").assertMisused("--namespace");
    run("docs", "-n", "").assertMisused("namespace");
    run("docs", "-n", "x", "-l", "-1").assertMisused("limit");
    run("doc-put", "-n", "x").assertMisused("--key");
    run("doc-put", "-n", "x", "-k", "y", "-v", "{").assertMisused("-v");
    run("doc-rm", "-n", "x").assertMisused("--id");
  }
}
