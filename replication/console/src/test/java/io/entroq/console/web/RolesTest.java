package io.entroq.console.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.console.user.Role;
import io.entroq.console.user.Session;
import io.entroq.console.user.User;
import io.entroq.service.http.SiteRequest;
import io.entroq.service.http.protocol.ApiResponse;
import io.entroq.service.limit.Origin;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Each role tries each route, and forms without what shows where they come from. */
class RolesTest {
  private static final byte[] SECRET = new byte[32];

  private final PagePool pool = new PagePool();
  private Session session = Session.NONE;

  private final Login login =
      new Login() {
        @Override
        public boolean isRequired() {
          return false;
        }

        @Override
        public Optional<Session> session(SiteRequest request) {
          return session.equals(Session.NONE) ? Optional.empty() : Optional.of(session);
        }

        @Override
        public void addTo(Router router) {}

        @Override
        public void close() {}
      };

  private final Router router =
      new Router().openPage("/login", this::done).openAction("/login", this::done);
  private final PageSite site;

  RolesTest() {
    for (Role role : Role.values()) {
      router.page("/" + role.label(), role, this::done);
      router.action("/" + role.label(), role, this::done);
    }
    site = new PageSite(router, pool, login, SECRET, Optional.empty());
  }

  @AfterEach
  void close() {
    pool.close();
  }

  private CompletableFuture<PageResponse> done(PageRequest request) {
    return CompletableFuture.completedFuture(PageResponse.text(200, "done"));
  }

  private void as(Role role, String id) {
    session = new Session(new User("ann", role, Optional.empty()), id, 0, Long.MAX_VALUE);
  }

  private ApiResponse send(String verb, String path, String body, String... headers) {
    Map<String, String> all = new HashMap<>(Map.of("host", "localhost"));
    for (int i = 0; i < headers.length; i += 2) {
      all.put(headers[i], headers[i + 1]);
    }
    InetSocketAddress here = new InetSocketAddress(InetAddress.getLoopbackAddress(), 9_100);
    return site.serve(
            new SiteRequest(
                verb,
                "/console" + path,
                "",
                Optional.of("application/x-www-form-urlencoded"),
                body.getBytes(StandardCharsets.UTF_8),
                name -> Optional.ofNullable(all.get(name)),
                Origin.NONE,
                here,
                here,
                false,
                Optional.empty()))
        .toCompletableFuture()
        .join();
  }

  private ApiResponse post(String path, String body) {
    return send("POST", path, body, "sec-fetch-site", "same-origin");
  }

  private String token() {
    return "csrf=" + new CsrfTokens(SECRET).masked(session);
  }

  @Test
  void shouldLetEachRoleDoWhatItMay() {
    for (Role role : Role.values()) {
      as(role, "1");
      for (Role least : Role.values()) {
        int expected = role.includes(least) ? 200 : 403;
        String path = "/" + least.label();
        assertThat(send("GET", path, "").status()).as("%s at %s", role, path).isEqualTo(expected);
        assertThat(post(path, token()).status()).as("%s at %s", role, path).isEqualTo(expected);
      }
    }
  }

  @Test
  void shouldLetNobodyDoAnythingButLogIn() {
    for (Route route : router.all()) {
      ApiResponse response =
          route.isPost() ? post(route.path(), "") : send("GET", route.path(), "");
      int expected = route.least().isEmpty() ? 200 : route.isPost() ? 403 : 303;
      assertThat(response.status()).as("%s", route).isEqualTo(expected);
    }
  }

  @Test
  void shouldRefuseFormsThatMayComeFromElsewhere() {
    as(Role.ADMIN, "1");
    String own = token();
    assertThat(post("/admin", own).status()).isEqualTo(200);
    assertThat(post("/admin", "").status()).isEqualTo(403);
    assertThat(post("/admin", "csrf=x").status()).isEqualTo(403);
    assertThat(send("POST", "/admin", own).status()).isEqualTo(403);
    assertThat(send("POST", "/admin", own, "sec-fetch-site", "cross-site").status()).isEqualTo(403);
    assertThat(send("POST", "/admin", own, "origin", "http://localhost").status()).isEqualTo(200);
    as(Role.ADMIN, "2");
    assertThat(post("/admin", own).status()).as("of another session").isEqualTo(403);
  }

  @Test
  void shouldRefuseWhatIsTooLarge() {
    as(Role.ADMIN, "1");
    assertThat(post("/admin", token() + "&x=" + "y".repeat(2 << 20)).status()).isEqualTo(413);
  }

  @Test
  void shouldNotRunMoreThanItsLimit() {
    as(Role.ADMIN, "1");
    router.page("/waits", request -> new CompletableFuture<>());
    InetSocketAddress here = new InetSocketAddress(InetAddress.getLoopbackAddress(), 9_100);
    SiteRequest waiting =
        new SiteRequest(
            "GET",
            "/console/waits",
            "",
            Optional.empty(),
            new byte[0],
            name -> name.equals("host") ? Optional.of("localhost") : Optional.empty(),
            Origin.NONE,
            here,
            here,
            false,
            Optional.empty());
    for (int i = 0; i < 256; i++) {
      assertThat(site.serve(waiting).toCompletableFuture()).isNotDone();
    }
    ApiResponse refused = send("GET", "/viewer", "");
    assertThat(refused.status()).isEqualTo(503);
    assertThat(new String(refused.body(), StandardCharsets.UTF_8)).contains("limit console-pages");
  }

  @Test
  void shouldListRoutes() {
    assertThat(router.all())
        .hasSize(8)
        .extracting(Route::isPost)
        .containsSubsequence(List.of(false, true));
  }
}
