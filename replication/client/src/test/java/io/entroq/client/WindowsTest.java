package io.entroq.client;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class WindowsTest {
  private final Windows windows = new Windows((delayMs, work) -> {});

  @Test
  void shouldPutAnotherWindowInThePlaceOfOneThatIsForgotten() {
    Window first = windows.current();
    windows.forget(first);
    assertThat(windows.current()).isNotSameAs(first);
    assertThat(windows.current().clientId()).isNotEqualTo(first.clientId());
  }

  @Test
  void shouldKeepTheNewWindowWhenOtherRequestsOfTheFormerOneAreTurnedAwayToo() {
    Window first = windows.current();
    windows.forget(first);
    Window second = windows.current();
    windows.forget(first);
    assertThat(windows.current()).isSameAs(second);
  }
}
