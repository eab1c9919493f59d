package io.entroq.console.login;

import com.nimbusds.jose.util.JSONObjectUtils;
import io.entroq.console.web.PageException;
import io.entroq.service.authentication.Authentication;
import io.entroq.service.authentication.AuthenticationConfig;
import io.entroq.service.call.CallContext;
import io.entroq.service.call.Principal;
import io.entroq.service.limit.LimitedBody;
import io.entroq.service.limit.Origin;
import io.entroq.service.tls.TlsException;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.text.ParseException;
import java.time.Duration;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An identity provider: where it is asked, codes that it redeems, and ID tokens that it signs. It
 * need not be reachable before somebody logs in. Any thread; does not block.
 */
final class OidcProvider implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(OidcProvider.class);
  private static final Duration TIMEOUT = Duration.ofSeconds(10);
  private static final long METADATA_NANOS = Duration.ofHours(1).toNanos();
  private static final int BYTES_MAX = 1 << 20;
  private static final int OK = 200;
  private static final int BAD_GATEWAY = 502;
  private static final String TRANSPORT = "console";

  private final OidcConfig config;

  /** Redirects are not followed: they could lead to an unsafe place. */
  private final HttpClient client = HttpClient.newBuilder().connectTimeout(TIMEOUT).build();

  private Metadata metadata;
  private long fetchedNanos;

  /** Verifies tokens by the keys of {@link Metadata#keys}. */
  private Authentication authentication;

  /** What the provider says of itself. */
  record Metadata(URI authorization, URI token, URI keys) {}

  OidcProvider(OidcConfig config) {
    this.config = config;
  }

  /** Where it is asked; at most an hour old. */
  CompletableFuture<Metadata> metadata() {
    synchronized (this) {
      if (metadata != null && System.nanoTime() - fetchedNanos < METADATA_NANOS) {
        return CompletableFuture.completedFuture(metadata);
      }
    }
    String issuer = config.issuer().toString();
    URI url = URI.create(issuer.replaceFirst("/$", "") + "/.well-known/openid-configuration");
    return json(HttpRequest.newBuilder(url)).thenApply(this::keep);
  }

  private synchronized Metadata keep(Map<String, Object> document) {
    if (!config.issuer().toString().equals(document.get("issuer"))) {
      throw failed("it says that its issuer is " + document.get("issuer"));
    }
    Metadata fetched =
        new Metadata(
            url(document, "authorization_endpoint"),
            url(document, "token_endpoint"),
            url(document, "jwks_uri"));
    if (metadata == null || !metadata.keys.equals(fetched.keys)) {
      Authentication before = authentication;
      authentication = authentication(fetched.keys);
      if (before != null) {
        before.close();
      }
    }
    metadata = fetched;
    fetchedNanos = System.nanoTime();
    return fetched;
  }

  private static URI url(Map<String, Object> document, String name) {
    try {
      URI url = URI.create(String.valueOf(document.get(name)));
      if (OidcConfig.isSafe(url)) {
        return url;
      }
    } catch (IllegalArgumentException e) {
      // Said below.
    }
    throw failed(name + " is not a URL that begins with https://");
  }

  private Authentication authentication(URI keys) {
    try {
      return Authentication.of(
          AuthenticationConfig.builder(config.issuer().toString(), Set.of(config.clientId()))
              .jwksUrl(Optional.of(keys))
              .userClaim(config.userClaim())
              .build());
    } catch (TlsException | IllegalArgumentException e) {
      throw failed(e.getMessage());
    }
  }

  /**
   * Redeems a code for an ID token.
   *
   * @param redirect where the code was sent to
   */
  CompletableFuture<String> redeem(String code, String verifier, String redirect) {
    return metadata()
        .thenCompose(
            where -> {
              HttpRequest.Builder request =
                  HttpRequest.newBuilder(where.token)
                      .header("content-type", "application/x-www-form-urlencoded");
              StringBuilder form =
                  new StringBuilder("grant_type=authorization_code&code=")
                      .append(encoded(code))
                      .append("&redirect_uri=")
                      .append(encoded(redirect))
                      .append("&code_verifier=")
                      .append(verifier);
              Optional<String> secret = secret();
              if (secret.isPresent()) {
                request.header("authorization", basic(secret.get()));
              } else {
                form.append("&client_id=").append(encoded(config.clientId()));
              }
              return json(request.POST(HttpRequest.BodyPublishers.ofString(form.toString())));
            })
        .thenApply(
            answer -> {
              if (answer.get("id_token") instanceof String token) {
                return token;
              }
              throw failed("it sent no ID token");
            });
  }

  /** The secret may be replaced at any time. */
  private Optional<String> secret() {
    if (config.secretFile().isEmpty()) {
      return Optional.empty();
    }
    try {
      return Optional.of(Files.readString(config.secretFile().get()).strip());
    } catch (IOException e) {
      throw failed("the secret of the client cannot be read: " + e);
    }
  }

  private String basic(String secret) {
    String pair = encoded(config.clientId()) + ":" + encoded(secret);
    return "Basic " + Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8));
  }

  static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  /** The user that a token names, if the provider has signed it for us and it has not ended. */
  CompletableFuture<Principal> user(String token) {
    Authentication verifier;
    synchronized (this) {
      verifier = authentication;
    }
    return verifier.caller(
        new CallContext(
            TRANSPORT,
            name ->
                name.equals("authorization") ? Optional.of("Bearer " + token) : Optional.empty(),
            OptionalLong.empty(),
            Origin.NONE));
  }

  private CompletableFuture<Map<String, Object>> json(HttpRequest.Builder request) {
    HttpRequest sent = request.header("accept", "application/json").timeout(TIMEOUT).build();
    return client
        .sendAsync(sent, head -> new LimitedBody(BYTES_MAX))
        .orTimeout(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)
        .handle(
            (response, failure) -> {
              if (failure != null) {
                LOG.warn("The identity provider does not answer at {}.", sent.uri(), failure);
                throw failed("it does not answer");
              }
              return parsed(response);
            });
  }

  private static Map<String, Object> parsed(HttpResponse<byte[]> response) {
    if (response.statusCode() != OK) {
      throw failed("it answers with status " + response.statusCode());
    }
    try {
      return JSONObjectUtils.parse(new String(response.body(), StandardCharsets.UTF_8));
    } catch (ParseException e) {
      throw failed("its answer is not JSON");
    }
  }

  private static PageException failed(String why) {
    LOG.warn("Nobody can log in to the console at the identity provider: {}.", why);
    return new PageException(
        BAD_GATEWAY, "The identity provider cannot be used now: " + why + ". Try again.");
  }

  @Override
  public synchronized void close() {
    if (authentication != null) {
      authentication.close();
    }
  }
}
