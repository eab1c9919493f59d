package io.entroq.console.screen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.console.web.PageException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class ScreenPoolTest {
  @Test
  void shouldKeepThreadsForQuickPages() {
    try (ScreenPool pool = new ScreenPool()) {
      CompletableFuture<String> answer = new CompletableFuture<>();
      List<CompletableFuture<String>> slow = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        slow.add(pool.runSlow(answer::join));
      }
      assertThatThrownBy(() -> pool.runSlow(() -> "a fifth"))
          .isInstanceOf(PageException.class)
          .hasMessageContaining("4 pages that take long");
      assertThat(pool.run(() -> "quick").join()).isEqualTo("quick");
      answer.complete("read");
      assertThat(slow).allSatisfy(each -> assertThat(each.join()).isEqualTo("read"));
      assertThat(pool.runSlow(() -> "later").join()).isEqualTo("later");
    }
  }
}
