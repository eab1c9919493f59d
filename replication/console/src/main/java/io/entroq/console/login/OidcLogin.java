package io.entroq.console.login;

import com.nimbusds.jose.util.JSONObjectUtils;
import io.entroq.console.user.Role;
import io.entroq.console.user.Session;
import io.entroq.console.user.User;
import io.entroq.console.view.Frame;
import io.entroq.console.view.jte.JtecontinueGenerated;
import io.entroq.console.view.jte.JteoidcGenerated;
import io.entroq.console.web.Login;
import io.entroq.console.web.PageException;
import io.entroq.console.web.PageRequest;
import io.entroq.console.web.PageResponse;
import io.entroq.console.web.PageSite;
import io.entroq.console.web.PageUrls;
import io.entroq.console.web.Router;
import io.entroq.service.authentication.Authentication;
import io.entroq.service.call.Principal;
import io.entroq.service.http.SiteRequest;
import java.net.URI;
import java.text.ParseException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Users log in at an identity provider: OpenID Connect's code flow with PKCE. Any thread.
 *
 * <p>It begins with a link, since pages may not send forms to other sites. It ends with a page that
 * loads the next one by itself: browsers do not send the cookie of a session on a redirect that
 * began at another site.
 */
public final class OidcLogin implements Login {
  private static final Logger LOG = LoggerFactory.getLogger(OidcLogin.class);
  private static final String START = PageSite.LOGIN + "/start";
  private static final String CALLBACK = PageSite.LOGIN + "/callback";
  private static final String DONE = PageSite.LOGIN + "/done";
  private static final int FORBIDDEN = 403;

  private final OidcConfig config;
  private final OidcProvider provider;
  private final RoleMapping roles;
  private final SessionCookie cookie;
  private final byte[] secret;
  private final Optional<URI> url;
  private final Executor pool;

  /**
   * @param users who have a role by their name
   * @param secret of cookies, at least 32 bytes
   * @param url where browsers find the server, if that is not where it listens
   * @param pool where pages are rendered
   */
  public OidcLogin(
      OidcConfig config,
      Optional<UserFile> users,
      byte[] secret,
      Optional<URI> url,
      Executor pool) {
    this.config = config;
    this.secret = secret.clone();
    this.url = url;
    this.pool = pool;
    provider = new OidcProvider(config);
    roles = new RoleMapping(users, config);
    cookie = new SessionCookie(secret, System::currentTimeMillis);
  }

  @Override
  public boolean isRequired() {
    return true;
  }

  @Override
  public Optional<Session> session(SiteRequest request) {
    return cookie
        .read(request.headers().first("cookie").orElse(""), name -> Optional.of(""))
        .map(this::withRoleOfFile);
  }

  /** The role of the file goes before that of the cookie, and ends with the line of the file. */
  private Session withRoleOfFile(Session session) {
    User user = session.user();
    Role role = roles.inFile(user.name()).orElse(user.role());
    return new Session(
        new User(user.name(), role, user.principal()),
        session.id(),
        session.startMs(),
        session.endMs());
  }

  @Override
  public void addTo(Router router) {
    router.openPage(PageSite.LOGIN, this::page);
    router.openPage(START, this::start);
    router.openPage(CALLBACK, this::callback);
    router.openPage(DONE, OidcLogin::done);
    router.openAction(PageSite.LOGOUT, SessionCookie::logOut);
  }

  private static String next(PageRequest request) {
    String next = request.parameters().text("next");
    return PageUrls.isPage(next) ? next : PageUrls.ROOT;
  }

  private CompletionStage<PageResponse> page(PageRequest request) {
    Frame frame = request.frame("Log in", Frame.Section.NONE);
    String start = PageUrls.to(START, "next", next(request));
    return CompletableFuture.completedFuture(
        PageResponse.html(
            out -> JteoidcGenerated.render(out, null, frame, start, config.issuer().getHost())));
  }

  private CompletionStage<PageResponse> start(PageRequest request) {
    LoginState login = LoginState.begin(next(request));
    return provider
        .metadata()
        .thenApplyAsync(
            where ->
                PageResponse.seeOther(authorization(where.authorization(), request, login))
                    .with("set-cookie", login.header(secret, System::currentTimeMillis)),
            pool);
  }

  private String authorization(URI endpoint, PageRequest request, LoginState login) {
    return endpoint
        + (endpoint.getRawQuery() == null ? "?" : "&")
        + "response_type=code&client_id="
        + OidcProvider.encoded(config.clientId())
        + "&redirect_uri="
        + OidcProvider.encoded(redirect(request))
        + "&scope="
        + OidcProvider.encoded(config.scopes())
        + "&state="
        + login.state()
        + "&nonce="
        + login.nonce()
        + "&code_challenge="
        + login.challenge()
        + "&code_challenge_method=S256";
  }

  /** Where the provider sends browsers back; it compares that with what it knows of the client. */
  private String redirect(PageRequest request) {
    SiteRequest source = request.source();
    String origin =
        url.map(at -> at.getScheme() + "://" + at.getRawAuthority())
            .orElseGet(
                () ->
                    (source.isTls() ? "https://" : "http://")
                        + source.headers().first("host").orElse("localhost"));
    return origin + PageUrls.to(CALLBACK);
  }

  private CompletionStage<PageResponse> callback(PageRequest request) {
    String cookies = request.source().headers().first("cookie").orElse("");
    LoginState login =
        LoginState.read(cookies, secret, System::currentTimeMillis)
            .filter(begun -> begun.isOf(request.parameters().text("state")))
            .orElseThrow(
                () ->
                    new PageException(
                        FORBIDDEN,
                        "This login was not begun in this browser within ten minutes. Try again."));
    String code = request.parameters().text("code");
    if (code.isEmpty()) {
      throw new PageException(
          FORBIDDEN,
          "The identity provider refused the login: %s %s"
              .formatted(
                  request.parameters().text("error"),
                  request.parameters().text("error_description")));
    }
    return provider
        .redeem(code, login.verifier(), redirect(request))
        .thenCompose(provider::user)
        .handleAsync((user, failure) -> loggedIn(request, login, user, failure), pool);
  }

  private PageResponse loggedIn(
      PageRequest request, LoginState login, Principal user, Throwable failure) {
    if (failure != null) {
      Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
      if (cause instanceof PageException page) {
        throw page;
      }
      throw new PageException(
          FORBIDDEN,
          "The ID token cannot be accepted: " + Authentication.refusal(failure).message() + ".");
    }
    Map<String, Object> claims = claims(user);
    if (!login.nonce().equals(claims.get("nonce"))) {
      throw new PageException(FORBIDDEN, "The ID token was made for another login. Try again.");
    }
    // Anybody could claim somebody else's address.
    if (config.userClaim().equals(OidcConfig.USER_CLAIM)
        && !"true".equals(String.valueOf(claims.get("email_verified")))) {
      throw new PageException(
          FORBIDDEN,
          "The identity provider does not say that it has verified your e-mail address. If it"
              + " never does, an administrator can set --console-oidc-user-claim sub.");
    }
    String name = user.subject();
    // Not that of the file, which counts as long as it is there.
    Role role = roles.byClaim(claims);
    Session session = cookie.begin(name, role, name, user.issuer(), user.claims());
    LOG.info(
        "{} logged in to the console as {}.", name, withRoleOfFile(session).user().role().label());
    Frame frame = request.frame("Continue", Frame.Section.NONE);
    String done = PageUrls.to(DONE, "next", login.next());
    return PageResponse.html(out -> JtecontinueGenerated.render(out, null, frame, done))
        .with("set-cookie", cookie.header(session, ""));
  }

  private static Map<String, Object> claims(Principal user) {
    try {
      return JSONObjectUtils.parse(user.claims());
    } catch (ParseException e) {
      throw new IllegalStateException("was JSON when it was verified", e);
    }
  }

  /** An answer sets one cookie, so the other one is forgotten here. */
  private static CompletionStage<PageResponse> done(PageRequest request) {
    return CompletableFuture.completedFuture(
        PageResponse.seeOther(next(request)).with("set-cookie", LoginState.expired()));
  }

  @Override
  public void close() {
    provider.close();
  }
}
