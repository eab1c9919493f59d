package io.entroq.console.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
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
  void shouldServeWhatPagesLoad() {
    Matcher assets = ASSET.matcher(console.get("/console").body());
    int found = 0;
    while (assets.find()) {
      HttpResponse<String> asset = console.get(assets.group(1));
      assertThat(asset.statusCode()).as(assets.group(1)).isEqualTo(200);
      assertThat(asset.headers().firstValue("cache-control").orElseThrow()).contains("immutable");
      found++;
    }
    assertThat(found).isEqualTo(6);
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
}
