package io.entroq.client;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CurrentWindowTest {
  private final CurrentWindow windows = new CurrentWindow((delayMs, work) -> {});

  @Test
  void shouldReplaceAForgottenWindow() {
    RequestWindow first = windows.current();
    windows.replace(first);
    assertThat(windows.current()).isNotSameAs(first);
    assertThat(windows.current().clientId()).isNotEqualTo(first.clientId());
  }

  @Test
  void shouldReplaceAWindowOnce() {
    RequestWindow first = windows.current();
    windows.replace(first);
    RequestWindow second = windows.current();
    windows.replace(first);
    assertThat(windows.current()).isSameAs(second);
  }
}
