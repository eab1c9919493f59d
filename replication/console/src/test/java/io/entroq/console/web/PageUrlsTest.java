package io.entroq.console.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.console.view.Frame;
import org.junit.jupiter.api.Test;

class PageUrlsTest {
  @Test
  void shouldEncodeWhatNamesHold() {
    assertThat(PageUrls.to("/queue", "name", "a b/\"&%<é", "page", ""))
        .isEqualTo("/console/queue?name=a+b%2F%22%26%25%3C%C3%A9");
    assertThat(Parameters.of("name=a+b%2F%22%26%25%3C%C3%A9").text("name")).isEqualTo("a b/\"&%<é");
  }

  @Test
  void shouldLeadToPagesOfTheConsoleAlone() {
    for (String url : new String[] {"/console", "/console/queue?name=x", "/console?at=1"}) {
      assertThat(PageUrls.isPage(url)).as(url).isTrue();
    }
    for (String url :
        new String[] {
          "",
          "/",
          "//evil.example",
          "/consoles",
          "https://evil.example/console",
          "/\\evil.example",
          "/console\\..",
          "/console/\r\nset-cookie: a=b",
          "javascript:alert(1)",
          "/console/\t/x"
        }) {
      assertThat(PageUrls.isPage(url)).as(url).isFalse();
    }
  }

  @Test
  void shouldAgreeWithTheNavigation() {
    assertThat(Frame.Section.QUEUES.url()).isEqualTo(PageUrls.to("/queues"));
  }
}
