package io.entroq.console.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.console.user.Session;
import io.entroq.console.user.User;
import org.junit.jupiter.api.Test;

class CsrfTokensTest {
  private static final Session ONE = new Session(User.LOCAL, "one", 0, 1);
  private static final Session TWO = new Session(User.LOCAL, "two", 0, 1);

  private final CsrfTokens tokens = new CsrfTokens(new byte[32]);

  @Test
  void shouldBelongToASession() {
    String token = tokens.masked(ONE);
    assertThat(tokens.isOf(ONE, token)).isTrue();
    assertThat(tokens.isOf(TWO, token)).isFalse();
  }

  @Test
  void shouldLookDifferentOnEachPage() {
    assertThat(tokens.masked(ONE)).isNotEqualTo(tokens.masked(ONE));
  }

  @Test
  void shouldBelongToASecret() {
    byte[] other = new byte[32];
    other[0] = 1;
    assertThat(new CsrfTokens(other).isOf(ONE, tokens.masked(ONE))).isFalse();
  }

  @Test
  void shouldRefuseWhatIsNoToken() {
    for (String text : new String[] {"", "a", "!", "A".repeat(86), "A".repeat(1_000)}) {
      assertThat(tokens.isOf(ONE, text)).as(text).isFalse();
    }
  }
}
