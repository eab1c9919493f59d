package io.entroq.console.web;

import io.entroq.service.call.Headers;
import io.entroq.service.http.SiteRequest;
import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * Refuses requests that other sites may have caused, or that come from where nobody may be.
 *
 * <p>Without a login, whoever reaches the console may do what an anonymous client may. So it
 * answers this machine alone: both ends of the connection are loopback addresses, and no proxy says
 * that it speaks for somebody else. The Host must be a name of this machine too, or a page of
 * another site could have its own name resolve to a loopback address and then read all.
 */
final class RequestGuard {
  private static final int FORBIDDEN = 403;
  private static final int MISDIRECTED = 421;
  private static final Set<String> LOCAL_NAMES = Set.of("localhost", "127.0.0.1", "[::1]");
  private static final List<String> OF_PROXIES =
      List.of(
          "forwarded",
          "via",
          "x-forwarded-for",
          "x-forwarded-host",
          "x-forwarded-proto",
          "x-real-ip");

  private final boolean hasLogin;

  /** The host and port that browsers use; empty if it is what they send. */
  private final Optional<String> authority;

  /**
   * @param url where browsers find the server, if that is not where it listens
   */
  RequestGuard(boolean hasLogin, Optional<URI> url) {
    this.hasLogin = hasLogin;
    authority = url.map(at -> at.getRawAuthority().toLowerCase(Locale.ROOT));
  }

  /**
   * Checks where a request comes from.
   *
   * @throws PageException 421 if this server does not answer there, 403 if another site may have
   *     sent a form
   */
  void check(SiteRequest request) {
    String host = request.headers().first("host").orElse("").toLowerCase(Locale.ROOT);
    if (!hasLogin) {
      checkLocal(request, host);
    } else if (authority.isPresent()) {
      require(
          host.equals(authority.get()),
          "The console is at https://" + authority.get() + PageUrls.ROOT + ", not at this name.");
    } else if (!request.isTls()) {
      // Cookies would be readable on their way; browsers send them over HTTP to this machine alone.
      checkLocal(request, host);
    }
    if (request.verb().equals("POST")) {
      checkForm(request.headers(), authority.orElse(host));
    } else {
      checkPage(request.headers());
    }
  }

  private void checkLocal(SiteRequest request, String host) {
    require(
        request.remote().getAddress().isLoopbackAddress()
            && request.local().getAddress().isLoopbackAddress(),
        hasLogin
            ? "The console needs TLS, except on the machine of the server."
            : "Nobody has to log in to this console, so it answers on the machine of the server"
                + " alone. Use an SSH tunnel to port %d, or configure a login (--console-login)."
                    .formatted(request.local().getPort()));
    require(
        LOCAL_NAMES.contains(withoutPort(host)),
        "Open the console as http://localhost:%d%s."
            .formatted(request.local().getPort(), PageUrls.ROOT));
    require(
        OF_PROXIES.stream().allMatch(name -> request.headers().first(name).isEmpty()),
        "A proxy sent this request. Configure a login and --console-url for use behind a proxy.");
  }

  private static void require(boolean isRight, String otherwise) {
    if (!isRight) {
      throw new PageException(MISDIRECTED, otherwise);
    }
  }

  private static String withoutPort(String host) {
    int colon = host.lastIndexOf(':');
    return colon > host.lastIndexOf(']') ? host.substring(0, colon) : host;
  }

  /** A link of another site may lead here; but nothing in its pages may have us read. */
  private static void checkPage(Headers headers) {
    String site = headers.first("sec-fetch-site").orElse("");
    boolean isFromElsewhere = site.equals("cross-site") || site.equals("same-site");
    boolean isPage =
        headers.first("sec-fetch-mode").orElse("").equals("navigate")
            && headers.first("sec-fetch-dest").orElse("document").equals("document");
    if (isFromElsewhere && !isPage) {
      throw new PageException(FORBIDDEN, "A page of another site asked for this.");
    }
  }

  /**
   * Every browser says where a form comes from, in one of two ways or in both. As our pages ask for
   * no referrer, it may hide the origin; then what it says of the request counts.
   */
  private static void checkForm(Headers headers, String authority) {
    Optional<String> site = headers.first("sec-fetch-site");
    Optional<String> origin =
        headers.first("origin").filter(each -> site.isEmpty() || !each.equals("null"));
    boolean isOurs =
        (site.isPresent() || origin.isPresent())
            && site.orElse("same-origin").equals("same-origin")
            && origin
                .map(each -> each.toLowerCase(Locale.ROOT).endsWith("://" + authority))
                .orElse(true);
    if (!isOurs) {
      throw new PageException(FORBIDDEN, "This form was sent by another site, or by no browser.");
    }
  }
}
