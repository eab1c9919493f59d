package io.entroq.console.login;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.console.user.Role;
import io.entroq.console.user.Session;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class SessionCookieTest {
  private static final String LETTERS =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

  private static final Function<String, Optional<String>> SEALED = name -> Optional.of("seal");

  private final AtomicLong clock = new AtomicLong(1_000_000);
  private final SessionCookie cookie = new SessionCookie(new byte[32], clock::get);
  private final Session session =
      cookie.begin("älice.1", Role.OPERATOR, "subject", "https://issuer", "{\"groups\":[\"a\"]}");

  /** As a browser sends it back. */
  private static String sent(String header) {
    return "theme=dark; " + header.substring(0, header.indexOf(';')) + "; other=1";
  }

  @Test
  void shouldReadWhatItHasWritten() {
    String header = cookie.header(session, "seal");
    assertThat(header)
        .startsWith("__Host-entroq=")
        .endsWith("; Max-Age=28800; Path=/; Secure; HttpOnly; SameSite=Strict");
    assertThat(cookie.read(sent(header), SEALED)).contains(session);
  }

  @Test
  void shouldEndAfterEightHours() {
    String sent = sent(cookie.header(session, "seal"));
    clock.addAndGet(8 * 3_600_000 - 1);
    assertThat(cookie.read(sent, SEALED)).isPresent();
    clock.addAndGet(1);
    assertThat(cookie.read(sent, SEALED)).isEmpty();
  }

  @Test
  void shouldEndWhenTheSealChanges() {
    String sent = sent(cookie.header(session, "seal"));
    assertThat(cookie.read(sent, name -> Optional.of("other"))).isEmpty();
    assertThat(cookie.read(sent, name -> Optional.empty())).isEmpty();
  }

  @Test
  void shouldTrustNoByteThatAnotherWrote() {
    String sent = sent(cookie.header(session, "seal"));
    int first = sent.indexOf('=', 12) + 1;
    for (int i = first; i < sent.indexOf("; other"); i++) {
      for (char changed : LETTERS.toCharArray()) {
        String forged = sent.substring(0, i) + changed + sent.substring(i + 1);
        if (!forged.equals(sent)) {
          assertThat(cookie.read(forged, SEALED))
              .as("%s in place of character %d", changed, i)
              .isNotEqualTo(Optional.of(session));
        }
      }
    }
    byte[] other = new byte[32];
    other[31] = 1;
    assertThat(new SessionCookie(other, clock::get).read(sent, SEALED)).isEmpty();
  }

  @Test
  void shouldIgnoreWhatIsNoSession() {
    for (String cookies : new String[] {"", "a", "__Host-entroq=", "__Host-entroq=a.b.c", "x=1"}) {
      assertThat(cookie.read(cookies, SEALED)).as(cookies).isEmpty();
    }
  }

  @Test
  void shouldFitIntoACookie() {
    Session large =
        cookie.begin("a", Role.VIEWER, "a", "b", "{\"x\":\"" + "y".repeat(5_000) + "\"}");
    String header = cookie.header(large, "");
    assertThat(header.length()).isLessThan(4_096);
    assertThat(
            cookie
                .read(sent(header), name -> Optional.of(""))
                .orElseThrow()
                .user()
                .principal()
                .orElseThrow()
                .claims())
        .isEqualTo("{}");
  }
}
