package io.entroq.console.web;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.service.http.SiteRequest;
import io.entroq.service.limit.Origin;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RequestGuardTest {
  private static final RequestGuard LOCAL = new RequestGuard(false, Optional.empty());
  private static final RequestGuard LOGIN = new RequestGuard(true, Optional.empty());
  private static final RequestGuard PROXIED =
      new RequestGuard(true, Optional.of(URI.create("https://Queue.example.com")));

  private final Map<String, String> headers = new HashMap<>(Map.of("host", "localhost:9100"));
  private String verb = "GET";
  private String local = "127.0.0.1";
  private String remote = "127.0.0.1";
  private boolean isTls;

  private SiteRequest request() {
    return new SiteRequest(
        verb,
        "/console",
        "",
        Optional.empty(),
        new byte[0],
        name -> Optional.ofNullable(headers.get(name)),
        Origin.NONE,
        address(local),
        address(remote),
        isTls,
        Optional.empty());
  }

  private static InetSocketAddress address(String text) {
    try {
      return new InetSocketAddress(InetAddress.getByName(text), 9_100);
    } catch (UnknownHostException e) {
      throw new AssertionError(e);
    }
  }

  private void accepts(RequestGuard guard) {
    assertThatCode(() -> guard.check(request())).doesNotThrowAnyException();
  }

  private void refuses(RequestGuard guard, int status, String message) {
    assertThatThrownBy(() -> guard.check(request()))
        .isInstanceOf(PageException.class)
        .hasMessageContaining(message)
        .extracting(failure -> ((PageException) failure).status())
        .isEqualTo(status);
  }

  @Test
  void shouldAnswerThisMachineWithoutALogin() {
    for (String host :
        new String[] {"localhost", "LOCALHOST:80", "127.0.0.1:1", "[::1]", "[::1]:9"}) {
      headers.put("host", host);
      accepts(LOCAL);
    }
    local = "::1";
    remote = "::1";
    accepts(LOCAL);
  }

  @Test
  void shouldRefuseOtherMachinesWithoutALogin() {
    remote = "192.0.2.7";
    refuses(LOCAL, 421, "SSH tunnel to port 9100");
    remote = "127.0.0.1";
    local = "192.0.2.1";
    refuses(LOCAL, 421, "SSH tunnel");
  }

  @Test
  void shouldRefuseNamesThatMayBeOfOtherSites() {
    for (String host :
        new String[] {
          "evil.example:9100", "127.0.0.1.evil.example", "localhost.evil.example", ""
        }) {
      headers.put("host", host);
      refuses(LOCAL, 421, "http://localhost:9100/console");
    }
  }

  @Test
  void shouldRefuseProxiesWithoutALogin() {
    for (String name : new String[] {"forwarded", "via", "x-forwarded-for", "x-real-ip"}) {
      headers.put(name, "192.0.2.7");
      refuses(LOCAL, 421, "--console-url");
      headers.remove(name);
    }
  }

  @Test
  void shouldNeedTlsForALogin() {
    remote = "192.0.2.7";
    refuses(LOGIN, 421, "needs TLS");
    isTls = true;
    headers.put("host", "queue.example.com");
    accepts(LOGIN);
  }

  @Test
  void shouldAnswerAtItsUrlAlone() {
    remote = "192.0.2.7";
    headers.put("x-forwarded-for", "192.0.2.8");
    refuses(PROXIED, 421, "https://queue.example.com/console");
    headers.put("host", "queue.example.com");
    accepts(PROXIED);
  }

  @Test
  void shouldTakeFormsFromItsOwnPagesAlone() {
    verb = "POST";
    refuses(LOCAL, 403, "another site");
    headers.put("sec-fetch-site", "same-origin");
    accepts(LOCAL);
    for (String site : new String[] {"cross-site", "same-site", "none"}) {
      headers.put("sec-fetch-site", site);
      refuses(LOCAL, 403, "another site");
    }
  }

  @Test
  void shouldCompareOriginsOfOldBrowsers() {
    verb = "POST";
    headers.put("origin", "http://localhost:9100");
    accepts(LOCAL);
    for (String origin :
        new String[] {
          "http://localhost:9101", "http://evil.example", "null", "http://x.localhost:9100"
        }) {
      headers.put("origin", origin);
      refuses(LOCAL, 403, "another site");
    }
    // What a browser says of the request goes before.
    headers.put("origin", "http://localhost:9100");
    headers.put("sec-fetch-site", "cross-site");
    refuses(LOCAL, 403, "another site");
  }

  @Test
  void shouldCompareOriginsOfNewBrowsersToo() {
    verb = "POST";
    headers.put("sec-fetch-site", "same-origin");
    headers.put("origin", "http://localhost:9100");
    accepts(LOCAL);
    // Of a page that asks for no referrer.
    headers.put("origin", "null");
    accepts(LOCAL);
    headers.put("origin", "http://localhost:9101");
    refuses(LOCAL, 403, "another site");
  }

  @Test
  void shouldReadNothingForPagesOfOtherSites() {
    for (String site : new String[] {"cross-site", "same-site"}) {
      headers.put("sec-fetch-site", site);
      headers.put("sec-fetch-mode", "no-cors");
      headers.put("sec-fetch-dest", "image");
      refuses(LOCAL, 403, "another site");
      headers.put("sec-fetch-mode", "navigate");
      headers.put("sec-fetch-dest", "iframe");
      refuses(LOCAL, 403, "another site");
      headers.put("sec-fetch-dest", "document");
      accepts(LOCAL);
    }
    headers.put("sec-fetch-mode", "cors");
    for (String site : new String[] {"same-origin", "none"}) {
      headers.put("sec-fetch-site", site);
      accepts(LOCAL);
    }
  }

  @Test
  void shouldCompareOriginsWithItsUrl() {
    verb = "POST";
    headers.put("host", "queue.example.com");
    headers.put("origin", "https://queue.example.com");
    accepts(PROXIED);
    headers.put("origin", "https://localhost:9100");
    refuses(PROXIED, 403, "another site");
  }
}
