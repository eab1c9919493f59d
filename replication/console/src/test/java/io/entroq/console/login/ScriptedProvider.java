package io.entroq.console.login;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import com.nimbusds.jwt.SignedJWT;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.entroq.service.authentication.TestIssuer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** An identity provider that answers as it is told to. */
final class ScriptedProvider implements AutoCloseable {
  static final String CLIENT = "console of tests";
  static final String SECRET = "of the client";

  private static final RSAKey KEY = TestIssuer.RSA;

  private final HttpServer server;
  private final ExecutorService threads = Executors.newCachedThreadPool();

  /** Claims of the tokens for codes that were not redeemed yet. */
  private final Map<String, Grant> grants = new ConcurrentHashMap<>();

  volatile boolean isUnsigned;

  /**
   * What a code is redeemed for.
   *
   * @param challenge of the verifier
   */
  private record Grant(JWTClaimsSet claims, String challenge) {}

  ScriptedProvider() {
    System.setProperty("sun.net.httpserver.nodelay", "true");
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.setExecutor(threads);
    server.createContext(
        "/.well-known/openid-configuration",
        call ->
            send(
                call,
                200,
                """
                {"issuer":"%1$s","authorization_endpoint":"%1$s/authorize",
                "token_endpoint":"%1$s/token","jwks_uri":"%1$s/keys"}
                """
                    .formatted(issuer())));
    server.createContext(
        "/keys", call -> send(call, 200, new JWKSet(KEY.toPublicJWK()).toString()));
    server.createContext("/token", this::redeem);
    server.start();
  }

  String issuer() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  /** Claims of a valid token. */
  JWTClaimsSet.Builder claims(String nonce) {
    return new JWTClaimsSet.Builder()
        .issuer(issuer())
        .subject("42")
        .audience(CLIENT)
        .claim("email", "ann@example.com")
        .claim("email_verified", true)
        .claim("nonce", nonce)
        .issueTime(new Date())
        .expirationTime(Date.from(Instant.now().plusSeconds(300)));
  }

  /** As if a user had logged in: the code may be redeemed once. */
  void grant(String code, String challenge, JWTClaimsSet claims) {
    grants.put(code, new Grant(claims, challenge));
  }

  private void redeem(HttpExchange call) throws IOException {
    Map<String, String> form = new HashMap<>();
    String body = new String(call.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    for (String pair : body.split("&")) {
      form.put(pair.substring(0, pair.indexOf('=')), pair.substring(pair.indexOf('=') + 1));
    }
    Grant grant = grants.remove(String.valueOf(form.get("code")));
    String basic = "console+of+tests:of+the+client";
    String expected =
        "Basic " + Base64.getEncoder().encodeToString(basic.getBytes(StandardCharsets.UTF_8));
    boolean isRight =
        grant != null
            && grant.challenge.equals(challenge(form.get("code_verifier")))
            && expected.equals(call.getRequestHeaders().getFirst("authorization"));
    if (isRight) {
      send(call, 200, "{\"id_token\":\"" + token(grant.claims) + "\"}");
    } else {
      send(call, 400, "{\"error\":\"invalid_grant\"}");
    }
  }

  private static String challenge(String verifier) {
    try {
      return Base64.getUrlEncoder()
          .withoutPadding()
          .encodeToString(
              MessageDigest.getInstance("SHA-256")
                  .digest(verifier.getBytes(StandardCharsets.US_ASCII)));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
  }

  private String token(JWTClaimsSet claims) {
    if (isUnsigned) {
      return new PlainJWT(claims).serialize();
    }
    SignedJWT token =
        new SignedJWT(
            new JWSHeader.Builder(JWSAlgorithm.RS256).keyID(KEY.getKeyID()).build(), claims);
    try {
      token.sign(new RSASSASigner(KEY));
    } catch (JOSEException e) {
      throw new AssertionError(e);
    }
    return token.serialize();
  }

  private static void send(HttpExchange call, int status, String json) throws IOException {
    byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
    call.sendResponseHeaders(status, bytes.length);
    call.getResponseBody().write(bytes);
    call.close();
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
