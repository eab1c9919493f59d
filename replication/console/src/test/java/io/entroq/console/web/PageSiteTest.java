package io.entroq.console.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PageSiteTest {
  private static final Pattern ASSET = Pattern.compile("(?:href|src)=\"(/console/assets/[^\"]+)\"");

  private final ConsoleFixture console = new ConsoleFixture();

  @AfterEach
  void close() {
    console.close();
  }

  @Test
  void shouldShowAPage() {
    HttpResponse<String> page = console.get("/console");
    assertThat(page.statusCode()).as(page.body()).isEqualTo(200);
    assertThat(page.headers().firstValue("content-type")).contains("text/html; charset=utf-8");
    assertThat(page.body()).startsWith("<!doctype html>").contains("</html>");
  }

  @Test
  void shouldLeadFromAPathWithASlashToThePage() {
    assertLeadsTo("/console/", "/console");
    assertLeadsTo("/console/queues/?q=a", "/console/queues?q=a");
  }

  private void assertLeadsTo(String path, String page) {
    HttpResponse<String> answer = console.get(path);
    assertThat(answer.statusCode()).isEqualTo(303);
    assertThat(answer.headers().firstValue("location")).contains(page);
  }

  @Test
  void shouldServeWhatPagesLoad() {
    Matcher assets = ASSET.matcher(console.get("/console").body());
    int found = 0;
    while (assets.find()) {
      HttpResponse<String> asset = console.get(assets.group(1));
      assertThat(asset.statusCode()).as(assets.group(1)).isEqualTo(200);
      assertThat(asset.headers().firstValue("cache-control").orElseThrow()).contains("immutable");
      found++;
    }
    assertThat(found).isEqualTo(4);
  }

  @Test
  void shouldSayThatThereIsNoSuchPage() {
    HttpResponse<String> page = console.get("/console/nowhere");
    assertThat(page.statusCode()).isEqualTo(404);
    assertThat(page.body()).contains("There is no such page.");
  }

  @Test
  void shouldServeNothingBeside() {
    assertThat(console.get("/consoles").statusCode()).isEqualTo(404);
    assertThat(console.get("/api/v0/time").statusCode()).isEqualTo(404);
    assertThat(console.get("/healthz/live").statusCode()).isEqualTo(200);
  }

  @Test
  void shouldHaveSecurityHeadersOnEveryAnswer() {
    for (String path : List.of("/console", "/console/nowhere", "/console/assets/x")) {
      HttpHeaders headers = console.get(path).headers();
      assertThat(headers.firstValue("content-security-policy").orElseThrow())
          .startsWith("default-src 'none'; script-src 'self'; style-src 'self'")
          .contains("frame-ancestors 'none'")
          .doesNotContain("unsafe");
      assertThat(headers.firstValue("cache-control")).contains("no-store");
      assertThat(headers.firstValue("x-content-type-options")).contains("nosniff");
      assertThat(headers.firstValue("referrer-policy")).contains("no-referrer");
      assertThat(headers.firstValue("cross-origin-opener-policy")).contains("same-origin");
      assertThat(headers.firstValue("cross-origin-resource-policy")).contains("same-origin");
    }
  }

  @Test
  void shouldHaveNothingInlineThatThePolicyForbids() {
    assertThat(console.get("/console").body())
        .doesNotContainPattern("<script(?![^>]*src=)")
        .doesNotContainPattern("\\sstyle=")
        .doesNotContainPattern("\\son[a-z]+=");
  }

  @Test
  void shouldReadAndSendAlone() {
    for (String verb : List.of("PUT", "DELETE", "OPTIONS", "PATCH")) {
      HttpRequest request =
          console.request("/console").method(verb, HttpRequest.BodyPublishers.noBody()).build();
      assertThat(console.send(request).statusCode()).as(verb).isEqualTo(405);
    }
    HttpRequest head =
        console.request("/console").method("HEAD", HttpRequest.BodyPublishers.noBody()).build();
    assertThat(console.send(head).statusCode()).isEqualTo(200);
  }
}
