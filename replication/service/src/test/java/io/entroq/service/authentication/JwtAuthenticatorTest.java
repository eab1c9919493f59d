package io.entroq.service.authentication;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.KeyUse;
import com.nimbusds.jose.jwk.OctetSequenceKey;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.util.Base64URL;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import com.nimbusds.jwt.SignedJWT;
import io.entroq.service.call.Principal;
import io.entroq.service.testing.Await;
import io.entroq.service.tls.SelfTls;
import io.entroq.service.tls.TestCertificates;
import io.entroq.service.tls.TlsFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Real tokens, and keys from a real HTTP server or file; time stands still unless it is moved. */
class JwtAuthenticatorTest {
  private static final Instant START = Instant.parse("2026-11-24T12:00:00Z");
  private static final Duration SKEW = Duration.ofSeconds(30);

  private final AtomicLong nowNs = new AtomicLong(-5);
  private final KeyServer keys = new KeyServer(TestIssuer.document(TestIssuer.RSA, TestIssuer.EC));
  private final List<JwtAuthenticator> opened = new ArrayList<>();

  @TempDir private Path directory;

  /** The wall clock, by the same time. */
  private final Clock clock =
      new Clock() {
        @Override
        public ZoneId getZone() {
          return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
          return this;
        }

        @Override
        public Instant instant() {
          return START.plusNanos(nowNs.get() + 5);
        }
      };

  @AfterEach
  void close() {
    opened.forEach(JwtAuthenticator::close);
    keys.close();
  }

  private JwtAuthenticator open() throws Exception {
    return open(config -> config);
  }

  /** With keys from the server. */
  private JwtAuthenticator open(UnaryOperator<AuthenticationConfig.Builder> with) throws Exception {
    AuthenticationConfig config =
        with.apply(TestIssuer.config().jwksUrl(Optional.of(keys.url())).clockSkew(SKEW)).build();
    return open(config, new HttpKeySource(keys.url(), config));
  }

  private JwtAuthenticator open(AuthenticationConfig config, KeySource source) {
    JwtAuthenticator authenticator =
        new JwtAuthenticator(config, new KeyCache(source, config, nowNs::get), clock);
    opened.add(authenticator);
    return authenticator;
  }

  private void pass(Duration time) {
    nowNs.addAndGet(time.toNanos());
  }

  private JWTClaimsSet.Builder claims() {
    return TestIssuer.claims("ann", clock.instant());
  }

  private String signed(JWTClaimsSet.Builder claims) {
    return TestIssuer.sign(TestIssuer.RSA, JWSAlgorithm.RS256, claims.build());
  }

  private static Principal ask(JwtAuthenticator authenticator, String token) {
    return authenticator.authenticate(List.of(TestIssuer.bearer(token))).join();
  }

  private static AuthenticationException refused(JwtAuthenticator authenticator, String token) {
    return refused(authenticator, List.of(TestIssuer.bearer(token)));
  }

  private static AuthenticationException refused(
      JwtAuthenticator authenticator, List<String> headers) {
    CompletableFuture<Principal> caller = authenticator.authenticate(headers);
    try {
      throw new AssertionError("accepted: " + caller.join());
    } catch (CompletionException e) {
      return (AuthenticationException) e.getCause();
    }
  }

  private static void assertInvalid(AuthenticationException refusal, String why) {
    assertThat(refusal).hasMessageContaining(why);
    assertThat(refusal.isUnavailable()).isFalse();
    assertThat(refusal.refusal().message()).startsWith("authentication failed: ");
  }

  private static void assertUnavailable(AuthenticationException refusal) {
    assertThat(refusal.isUnavailable()).as("%s", refusal).isTrue();
    assertThat(refusal)
        .hasMessage("the keys for verifying tokens are not available now; try again");
  }

  // ---- Tokens.

  @Test
  void shouldTellWhoCallsFromATokenByEachTypeOfKey() throws Exception {
    TestIssuer.Ed25519 ed = TestIssuer.Ed25519.generate("ed-1");
    ECKey p384 = TestIssuer.ec("ec-384", Curve.P_384);
    ECKey p521 = TestIssuer.ec("ec-521", Curve.P_521);
    keys.serve(TestIssuer.document(TestIssuer.RSA, TestIssuer.EC, p384, p521, ed.published()));
    JwtAuthenticator authenticator = open();
    JWTClaimsSet claims = claims().audience(List.of("x", TestIssuer.AUDIENCE)).build();
    List<String> tokens = new ArrayList<>();
    for (JWSAlgorithm algorithm : JWSAlgorithm.Family.RSA) {
      tokens.add(TestIssuer.sign(TestIssuer.RSA, algorithm, claims));
    }
    tokens.add(TestIssuer.sign(TestIssuer.EC, JWSAlgorithm.ES256, claims));
    tokens.add(TestIssuer.sign(p384, JWSAlgorithm.ES384, claims));
    tokens.add(TestIssuer.sign(p521, JWSAlgorithm.ES512, claims));
    tokens.add(ed.sign(claims));
    assertThat(tokens).hasSize(10);
    for (String token : tokens) {
      Principal caller = ask(authenticator, token);
      assertThat(caller.subject()).isEqualTo("ann");
      assertThat(caller.issuer()).isEqualTo(TestIssuer.NAME);
      assertThat(caller.audience()).containsExactly("x", TestIssuer.AUDIENCE);
      assertThat(caller.expiresAtS()).isEqualTo(START.plusSeconds(3_600).getEpochSecond());
      assertThat(caller.claims()).contains("\"role\":\"worker\"").doesNotContain(token);
    }
    assertThat(keys.requests()).containsExactly("none");
  }

  @Test
  void shouldRefuseAForgedSignature() throws Exception {
    TestIssuer.Ed25519 ed = TestIssuer.Ed25519.generate("ed-1");
    keys.serve(TestIssuer.document(TestIssuer.RSA, TestIssuer.EC, ed.published()));
    JwtAuthenticator authenticator = open();
    JWTClaimsSet claims = claims().build();
    for (String token :
        List.of(
            TestIssuer.sign(TestIssuer.RSA, JWSAlgorithm.RS256, claims),
            TestIssuer.sign(TestIssuer.EC, JWSAlgorithm.ES256, claims),
            ed.sign(claims))) {
      int end = token.lastIndexOf('.');
      String payload = Base64URL.encode(claims().subject("root").build().toString()).toString();
      String forged = token.substring(0, token.indexOf('.') + 1) + payload + token.substring(end);
      assertInvalid(refused(authenticator, forged), "signature is not valid");
      assertInvalid(refused(authenticator, token.substring(0, end + 1)), "");
      assertInvalid(refused(authenticator, token.substring(0, end + 9)), "signature is not valid");
      assertThat(ask(authenticator, token).subject()).isEqualTo("ann");
    }
    // By a key that nobody knows, under the id of one that is known.
    RSAKey own = TestIssuer.rsa(TestIssuer.RSA.getKeyID(), 2_048);
    assertInvalid(
        refused(authenticator, TestIssuer.sign(own, JWSAlgorithm.RS256, claims)),
        "signature is not valid");
  }

  @Test
  void shouldRefuseAnUnsignedToken() throws Exception {
    JwtAuthenticator authenticator = open();
    assertInvalid(
        refused(authenticator, new PlainJWT(claims().build()).serialize()), "not a signed JWT");
    // The same with the header of a signed one, and without a signature.
    String header = Base64URL.encode("{\"alg\":\"none\",\"kid\":\"rsa-1\"}").toString();
    String payload = Base64URL.encode(claims().build().toString()).toString();
    assertInvalid(refused(authenticator, header + "." + payload + ".AAAA"), "not a signed JWT");
    assertThat(keys.requests()).isEmpty();
  }

  /** Whoever knows the public key, as everybody does, could issue tokens then. */
  @Test
  void shouldRefuseAPublicKeyAsASharedSecret() throws Exception {
    List<byte[]> secrets =
        List.of(
            TestIssuer.RSA.toRSAPublicKey().getEncoded(),
            TestIssuer.RSA.toPublicJWK().toJSONString().getBytes("UTF-8"));
    for (UnaryOperator<AuthenticationConfig.Builder> with :
        List.<UnaryOperator<AuthenticationConfig.Builder>>of(
            config -> config, config -> config.algorithms("RS256"))) {
      JwtAuthenticator authenticator = open(with);
      for (byte[] secret : secrets) {
        SignedJWT token =
            new SignedJWT(
                TestIssuer.header(TestIssuer.RSA, JWSAlgorithm.HS256).build(), claims().build());
        token.sign(new MACSigner(secret));
        assertInvalid(
            refused(authenticator, token.serialize()), "an algorithm that is not accepted here");
      }
    }
  }

  /** Even if the issuer publishes it, so that everybody knows it. */
  @Test
  void shouldRefuseASharedSecretAmongTheKeys() throws Exception {
    byte[] secret = "a secret of at least thirty-two bytes".getBytes("UTF-8");
    OctetSequenceKey key =
        new OctetSequenceKey.Builder(secret).keyID("s").algorithm(JWSAlgorithm.HS256).build();
    String published =
        "{\"keys\":[%s,%s]}"
            .formatted(key.toJSONString(), TestIssuer.RSA.toPublicJWK().toJSONString());
    keys.serve(published);
    JwtAuthenticator authenticator = open();
    SignedJWT token =
        new SignedJWT(TestIssuer.header(key, JWSAlgorithm.HS256).build(), claims().build());
    token.sign(new MACSigner(secret));
    assertInvalid(refused(authenticator, token.serialize()), "not accepted here");
    assertThat(ask(authenticator, signed(claims())).subject()).isEqualTo("ann");
    // Alone, it is no key at all.
    keys.serve("{\"keys\":[%s]}".formatted(key.toJSONString()));
    assertUnavailable(refused(open(), signed(claims())));
  }

  @Test
  void shouldAcceptOnlyTheConfiguredAlgorithms() throws Exception {
    JwtAuthenticator onlyEc = open(config -> config.algorithms("EC"));
    JWTClaimsSet claims = claims().build();
    assertThat(ask(onlyEc, TestIssuer.sign(TestIssuer.EC, JWSAlgorithm.ES256, claims)).subject())
        .isEqualTo("ann");
    assertInvalid(refused(onlyEc, signed(claims())), "accepted: ES256, ES384, ES512");
    JwtAuthenticator onlyOne = open(config -> config.algorithms("RS256, ES384"));
    assertThat(ask(onlyOne, signed(claims())).subject()).isEqualTo("ann");
    for (String token :
        List.of(
            TestIssuer.sign(TestIssuer.RSA, JWSAlgorithm.PS256, claims),
            TestIssuer.sign(TestIssuer.EC, JWSAlgorithm.ES256, claims))) {
      assertInvalid(refused(onlyOne, token), "accepted: RS256, ES384");
    }
  }

  /** A short key can be broken, and one for encryption is not meant for this. */
  @Test
  void shouldSkipUnsafeKeys() throws Exception {
    RSAKey brief = TestIssuer.rsa("short", 1_024);
    RSAKey encrypting = new RSAKey.Builder(TestIssuer.OTHER_RSA).keyUse(KeyUse.ENCRYPTION).build();
    keys.serve(TestIssuer.document(brief, encrypting, TestIssuer.RSA));
    JwtAuthenticator authenticator = open();
    JWTClaimsSet claims = claims().build();
    for (RSAKey key : List.of(brief, encrypting)) {
      assertInvalid(
          refused(authenticator, TestIssuer.sign(key, JWSAlgorithm.RS256, claims)),
          "no known key has signed the token");
    }
    assertThat(ask(authenticator, signed(claims())).subject()).isEqualTo("ann");
    keys.serve(TestIssuer.document(brief, encrypting));
    assertUnavailable(refused(open(), signed(claims())));
  }

  @Test
  void shouldRefuseAnExpiredToken() throws Exception {
    JwtAuthenticator authenticator = open();
    String token = signed(claims().expirationTime(Date.from(START.plusSeconds(20))));
    assertThat(ask(authenticator, token).subject()).isEqualTo("ann");
    pass(Duration.ofSeconds(20).plus(SKEW).minusMillis(1));
    assertThat(ask(authenticator, token).subject()).isEqualTo("ann");
    pass(Duration.ofMillis(1));
    assertInvalid(refused(authenticator, token), "Expired JWT");
    assertInvalid(
        refused(authenticator, signed(claims().expirationTime(null))),
        "missing required claims: [exp]");
  }

  @Test
  void shouldRefuseATokenThatIsNotValidYet() throws Exception {
    JwtAuthenticator authenticator = open();
    String later = signed(claims().notBeforeTime(Date.from(START.plusSeconds(60))));
    String future = signed(claims().issueTime(Date.from(START.plusSeconds(60))));
    assertInvalid(refused(authenticator, later), "JWT before use time");
    assertInvalid(refused(authenticator, future), "issued in the future");
    pass(Duration.ofSeconds(60).minus(SKEW).plusMillis(1));
    assertThat(ask(authenticator, later).subject()).isEqualTo("ann");
    assertThat(ask(authenticator, future).subject()).isEqualTo("ann");
  }

  @Test
  void shouldRefuseATokenOfOrForSomebodyElse() throws Exception {
    JwtAuthenticator authenticator = open();
    assertInvalid(
        refused(authenticator, signed(claims().audience("other"))), "JWT aud claim rejected");
    assertInvalid(refused(authenticator, signed(claims().audience((String) null))), "aud");
    assertInvalid(refused(authenticator, signed(claims().issuer(TestIssuer.NAME + "/"))), "iss");
    assertInvalid(refused(authenticator, signed(claims().issuer(null))), "iss");
    assertThat(ask(authenticator, signed(claims().audience("somebody-else"))).subject())
        .isEqualTo("ann");
  }

  @Test
  void shouldNameTheCallerByTheConfiguredClaim() throws Exception {
    assertInvalid(refused(open(), signed(claims().subject(null))), "has no claim sub");
    assertInvalid(refused(open(), signed(claims().subject(""))), "has no claim sub");
    JwtAuthenticator byMail = open(config -> config.userClaim("email"));
    assertThat(ask(byMail, signed(claims().claim("email", "ann@x"))).subject()).isEqualTo("ann@x");
    assertInvalid(refused(byMail, signed(claims())), "has no claim email");
    assertInvalid(refused(byMail, signed(claims().claim("email", 7))), "a wrong type");
  }

  @Test
  void shouldRefuseOtherKindsOfTokens() throws Exception {
    JwtAuthenticator authenticator = open();
    JWSHeader.Builder header = TestIssuer.header(TestIssuer.RSA, JWSAlgorithm.RS256);
    JWTClaimsSet claims = claims().build();
    for (String type : List.of("JWT", "at+jwt")) {
      JWSHeader typed = header.type(new JOSEObjectType(type)).build();
      assertThat(ask(authenticator, TestIssuer.sign(TestIssuer.RSA, typed, claims)).subject())
          .isEqualTo("ann");
    }
    assertInvalid(
        refused(
            authenticator,
            TestIssuer.sign(
                TestIssuer.RSA, header.type(new JOSEObjectType("logout+jwt")).build(), claims)),
        "type (typ)");
    JWSHeader critical =
        header.type(null).criticalParams(Set.of("x")).customParam("x", "y").build();
    assertInvalid(
        refused(authenticator, TestIssuer.sign(TestIssuer.RSA, critical, claims)), "crit");
  }

  // ---- Headers.

  @Test
  void shouldRefuseMalformedHeaders() throws Exception {
    JwtAuthenticator authenticator = open();
    String token = signed(claims());
    assertInvalid(refused(authenticator, List.of()), "Authorization: Bearer TOKEN");
    for (String header :
        List.of(
            "",
            " ",
            "Bearer",
            "Bearer ",
            token,
            "Basic " + token,
            "Bearer" + token,
            "Bearer " + token + " x",
            "Bearer,Basic " + token)) {
      assertInvalid(refused(authenticator, List.of(header)), "the form: Bearer TOKEN");
    }
    assertInvalid(
        refused(authenticator, List.of("Bearer " + token, "Bearer " + token)), "more than one");
    for (String header : List.of("bearer " + token, "BEARER  " + token + " ")) {
      assertThat(authenticator.authenticate(List.of(header)).join().subject()).isEqualTo("ann");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        ".",
        "..",
        "...",
        "a.b.c",
        "e30.e30.e30",
        "eyJhbGciOiJSUzI1NiJ9..",
        "eyJhbGciOiJSUzI1NiJ9.e30.",
        "eyJhbGciOiJSUzI1NiJ9.bm90IGpzb24.AAAA",
        "eyJhbGciOjF9.e30.AAAA",
        "eyJhbGciOiJSUzI1NiIsImtpZCI6W119.e30.AAAA",
        "a.b.c.d.e",
        "\u0000.\u00ff.\ud83d\ude00"
      })
  void shouldRefuseMalformedTokens(String token) throws Exception {
    AuthenticationException refusal = refused(open(), token);
    assertInvalid(refusal, "");
    assertThat(refusal.getMessage()).doesNotContain(token.length() > 4 ? token : "\n");
  }

  @Test
  void shouldRefuseDeeplyNestedTokens() throws Exception {
    String deep = Base64URL.encode("{\"alg\":" + "[".repeat(100_000)).toString();
    assertInvalid(refused(open(), deep + ".e30.AAAA"), "not a signed JWT");
  }

  // ---- Keys.

  @Test
  void shouldTakeUpARotatedKeyAtOnceButFetchKeysOnlyOncePerInterval() throws Exception {
    JwtAuthenticator authenticator = open();
    assertThat(ask(authenticator, signed(claims())).subject()).isEqualTo("ann");
    keys.serve(TestIssuer.document(TestIssuer.RSA, TestIssuer.OTHER_RSA));
    String byNew = TestIssuer.sign(TestIssuer.OTHER_RSA, JWSAlgorithm.RS256, claims().build());
    // Somebody may make up ids of keys; that must not make the server flood the issuer.
    for (int i = 0; i < 10; i++) {
      assertInvalid(refused(authenticator, byNew), "no known key has signed the token");
    }
    assertThat(keys.requests()).hasSize(1);
    pass(Duration.ofSeconds(5));
    assertThat(ask(authenticator, byNew).subject()).isEqualTo("ann");
    assertThat(keys.requests()).hasSize(2);
    String byNobody =
        TestIssuer.sign(
            TestIssuer.OTHER_RSA,
            new JWSHeader.Builder(JWSAlgorithm.RS256).keyID("made up").build(),
            claims().build());
    for (int i = 0; i < 10; i++) {
      assertInvalid(refused(authenticator, byNobody), "no known key has signed the token");
    }
    assertThat(keys.requests()).hasSize(2);
  }

  @Test
  void shouldTakeUpARotatedKeyWithoutAnId() throws Exception {
    RSAKey first = new RSAKey.Builder(TestIssuer.RSA).keyID(null).build();
    RSAKey second = new RSAKey.Builder(TestIssuer.OTHER_RSA).keyID(null).build();
    keys.serve(TestIssuer.document(first));
    JwtAuthenticator authenticator = open();
    JWTClaimsSet claims = claims().build();
    assertThat(ask(authenticator, TestIssuer.sign(first, JWSAlgorithm.RS256, claims)).subject())
        .isEqualTo("ann");
    keys.serve(TestIssuer.document(second));
    pass(Duration.ofSeconds(5));
    assertThat(ask(authenticator, TestIssuer.sign(second, JWSAlgorithm.RS256, claims)).subject())
        .isEqualTo("ann");
  }

  @Test
  void shouldRefuseTokensOfARemovedKeyEvenIfTheyWereVerifiedBefore() throws Exception {
    Path file = directory.resolve("keys.json");
    Files.writeString(file, TestIssuer.document(TestIssuer.RSA));
    JwtAuthenticator authenticator = openFile(file);
    String token = signed(claims());
    assertThat(ask(authenticator, token).subject()).isEqualTo("ann");
    Files.writeString(file, TestIssuer.document(TestIssuer.OTHER_RSA));
    pass(Duration.ofSeconds(5));
    // This makes it read the file again; the next one sees the new keys.
    authenticator.authenticate(List.of(TestIssuer.bearer(token)));
    Await.until(
        "the file is read again",
        () ->
            authenticator
                .authenticate(List.of(TestIssuer.bearer(token)))
                .isCompletedExceptionally());
    String byNew = TestIssuer.sign(TestIssuer.OTHER_RSA, JWSAlgorithm.RS256, claims().build());
    assertThat(ask(authenticator, byNew).subject()).isEqualTo("ann");
  }

  private JwtAuthenticator openFile(Path file) {
    AuthenticationConfig config = TestIssuer.config().jwksFile(Optional.of(file)).build();
    return open(config, new FileKeySource(file));
  }

  @Test
  void shouldWaitForAFileOfKeys() throws Exception {
    Path file = directory.resolve("keys.json");
    JwtAuthenticator authenticator = openFile(file);
    String token = signed(claims());
    for (String content :
        List.of("", "{", "{}", "{\"keys\":[]}", "{\"keys\":[{\"kty\":\"RSA\"}]}")) {
      assertUnavailable(refused(authenticator, token));
      pass(Duration.ofSeconds(5));
      Files.writeString(file, content);
    }
    assertUnavailable(refused(authenticator, token));
    Files.writeString(file, " ".repeat(KeySource.BYTES_MAX + 1));
    pass(Duration.ofSeconds(5));
    assertUnavailable(refused(authenticator, token));
    Files.writeString(file, TestIssuer.document(TestIssuer.RSA));
    assertUnavailable(refused(authenticator, token));
    pass(Duration.ofSeconds(5));
    assertThat(ask(authenticator, token).subject()).isEqualTo("ann");
    // A file that is being replaced.
    Files.writeString(file, "{");
    pass(Duration.ofSeconds(6));
    assertThat(ask(authenticator, token).subject()).isEqualTo("ann");
  }

  @Test
  void shouldBeUnavailableWhileThereAreNoKeysAndAskOnlyOncePerInterval() throws Exception {
    keys.answerBy(exchange -> KeyServer.send(exchange, 503, ""));
    JwtAuthenticator authenticator = open();
    String token = signed(claims());
    for (int i = 0; i < 5; i++) {
      assertUnavailable(refused(authenticator, token));
    }
    assertThat(keys.requests()).hasSize(1);
    keys.serve(TestIssuer.document(TestIssuer.RSA));
    pass(Duration.ofSeconds(5));
    assertThat(ask(authenticator, token).subject()).isEqualTo("ann");
    assertThat(keys.requests()).hasSize(2);
  }

  /** What is wrong with the token cannot be mended by waiting. */
  @Test
  void shouldFetchKeysAgainAfterAnInternalError() {
    AtomicBoolean isBroken = new AtomicBoolean(true);
    KeySource source =
        new KeySource() {
          @Override
          public byte[] read() {
            if (isBroken.get()) {
              throw new AssertionError("for this test");
            }
            return TestIssuer.document(TestIssuer.RSA).getBytes(StandardCharsets.UTF_8);
          }

          @Override
          public boolean isLocal() {
            return true;
          }

          @Override
          public String description() {
            return "a test";
          }
        };
    AuthenticationConfig config = TestIssuer.config().jwksUrl(Optional.of(keys.url())).build();
    JwtAuthenticator authenticator = open(config, source);
    assertUnavailable(refused(authenticator, signed(claims())));

    isBroken.set(false);
    pass(config.jwksRefreshInterval());
    assertThat(ask(authenticator, signed(claims())).subject()).isEqualTo("ann");
  }

  @Test
  void shouldBeUnavailableOnceItIsClosed() throws Exception {
    JwtAuthenticator authenticator = open();
    authenticator.close();
    for (int i = 0; i < 2; i++) {
      assertThat(refused(authenticator, signed(claims())).isUnavailable()).isTrue();
    }
  }

  @Test
  void shouldRefuseAnImpossibleTokenWithoutKeys() throws Exception {
    keys.answerBy(exchange -> KeyServer.send(exchange, 503, ""));
    assertInvalid(refused(open(), "a.b.c"), "not a signed JWT");
    assertThat(keys.requests()).isEmpty();
  }

  @Test
  void shouldSurviveAnOutageShorterThanHalfTheLifetimeOfKeys() throws Exception {
    JwtAuthenticator authenticator = open();
    String token = signed(claims());
    assertThat(ask(authenticator, token).subject()).isEqualTo("ann");
    keys.answerBy(exchange -> KeyServer.send(exchange, 500, ""));
    pass(Duration.ofSeconds(150));
    // Fetches them in the background.
    assertThat(ask(authenticator, token).subject()).isEqualTo("ann");
    Await.until("the keys are asked for again", () -> keys.requests().size() == 2);
    pass(Duration.ofSeconds(149));
    assertThat(ask(authenticator, token).subject()).isEqualTo("ann");
    pass(Duration.ofSeconds(6));
    assertUnavailable(refused(authenticator, token));
    pass(Duration.ofSeconds(5));
    keys.serve(TestIssuer.document(TestIssuer.RSA));
    assertThat(ask(authenticator, token).subject()).isEqualTo("ann");
  }

  /** Its key may be new, and only the source could tell. */
  @Test
  void shouldBeUnavailableForAnUnknownKeyWhileKeysCannotBeFetched() throws Exception {
    JwtAuthenticator authenticator = open();
    assertThat(ask(authenticator, signed(claims())).subject()).isEqualTo("ann");
    keys.answerBy(exchange -> KeyServer.send(exchange, 500, ""));
    pass(Duration.ofSeconds(5));
    String byNew = TestIssuer.sign(TestIssuer.OTHER_RSA, JWSAlgorithm.RS256, claims().build());
    assertUnavailable(refused(authenticator, byNew));
    assertThat(ask(authenticator, signed(claims())).subject()).isEqualTo("ann");
  }

  @Test
  void shouldFetchOnceForAllWhoWait() throws Exception {
    CountDownLatch end = new CountDownLatch(1);
    keys.answerBy(
        exchange -> {
          await(end);
          KeyServer.send(exchange, 200, TestIssuer.document(TestIssuer.RSA));
        });
    JwtAuthenticator authenticator = open();
    List<CompletableFuture<Principal>> callers = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      String token = signed(claims().jwtID("t" + i));
      callers.add(authenticator.authenticate(List.of(TestIssuer.bearer(token))));
    }
    // Nobody waits for one who has left.
    callers.get(3).cancel(false);
    assertThat(callers.get(0)).isNotDone();
    end.countDown();
    for (CompletableFuture<Principal> caller : callers) {
      assertThat(caller.isCancelled() || caller.join().subject().equals("ann")).isTrue();
    }
    assertThat(keys.requests()).hasSize(1);
  }

  private static void await(CountDownLatch latch) throws IOException {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }

  @Test
  void shouldGiveUpOnASourceThatDoesNotAnswerInFull() throws Exception {
    CountDownLatch end = new CountDownLatch(1);
    keys.answerBy(
        exchange -> {
          exchange.sendResponseHeaders(200, 100);
          exchange.getResponseBody().write('{');
          exchange.getResponseBody().flush();
          await(end);
        });
    assertUnavailable(
        refused(open(config -> config.httpTimeout(Duration.ofMillis(200))), signed(claims())));
    keys.answerBy(exchange -> KeyServer.send(exchange, 200, " ".repeat(KeySource.BYTES_MAX + 1)));
    assertUnavailable(refused(open(), signed(claims())));
    end.countDown();
  }

  /** It could lead to anywhere, with the token for the source. */
  @Test
  void shouldNotFollowARedirect() throws Exception {
    try (KeyServer other = new KeyServer(TestIssuer.document(TestIssuer.RSA))) {
      keys.answerBy(
          exchange -> {
            exchange.getResponseHeaders().set("Location", other.url().toString());
            KeyServer.send(exchange, 302, "");
          });
      assertUnavailable(refused(open(), signed(claims())));
      assertThat(other.requests()).isEmpty();
    }
  }

  @Test
  void shouldReadTheTokenForTheSourceEachTime() throws Exception {
    Path file = directory.resolve("token");
    JwtAuthenticator authenticator = open(config -> config.jwksTokenFile(Optional.of(file)));
    String token = signed(claims());
    assertUnavailable(refused(authenticator, token));
    for (String unusable : List.of("", "\n", "a b", "a\nb")) {
      Files.writeString(file, unusable);
      pass(Duration.ofSeconds(5));
      assertUnavailable(refused(authenticator, token));
    }
    assertThat(keys.requests()).isEmpty();
    Files.writeString(file, "one\n");
    pass(Duration.ofSeconds(5));
    assertThat(ask(authenticator, token).subject()).isEqualTo("ann");
    Files.writeString(file, "two\n");
    pass(Duration.ofSeconds(301));
    assertThat(ask(authenticator, token).subject()).isEqualTo("ann");
    assertThat(keys.requests()).containsExactly("Bearer one", "Bearer two");
  }

  @Test
  void shouldTrustTheAuthoritiesOfAFileBesidesThoseOfJava() throws Exception {
    TestCertificates.Pair pair = TestCertificates.ready(directory, "server");
    SSLContext tls =
        SelfTls.context(new TlsFiles(pair.certificate(), pair.key(), Optional.empty()));
    try (KeyServer secure = new KeyServer(TestIssuer.document(TestIssuer.RSA), Optional.of(tls))) {
      AuthenticationConfig.Builder builder = TestIssuer.config().jwksUrl(Optional.of(secure.url()));
      AuthenticationConfig distrusting = builder.build();
      assertUnavailable(
          refused(
              open(distrusting, new HttpKeySource(secure.url(), distrusting)), signed(claims())));
      assertThat(secure.requests()).isEmpty();
      AuthenticationConfig trusting = builder.caFile(Optional.of(pair.certificate())).build();
      assertThat(
              ask(open(trusting, new HttpKeySource(secure.url(), trusting)), signed(claims()))
                  .subject())
          .isEqualTo("ann");
    }
  }

  // ---- Verified tokens.

  @Test
  void shouldVerifyATokenAgainOnlyAfterAWhile() throws Exception {
    JwtAuthenticator authenticator = open(config -> config.tokenCache(Duration.ofSeconds(30), 2));
    String token = signed(claims());
    Principal first = ask(authenticator, token);
    assertThat(ask(authenticator, token)).isSameAs(first);
    pass(Duration.ofSeconds(30));
    assertThat(ask(authenticator, token)).isNotSameAs(first).isEqualTo(first);
    for (int i = 0; i < 5; i++) {
      assertThat(ask(authenticator, signed(claims().jwtID("t" + i))).subject()).isEqualTo("ann");
    }
    assertThat(authenticator.cachedTokens()).isEqualTo(2);
  }

  @Test
  void shouldVerifyEachTimeIfToldTo() throws Exception {
    JwtAuthenticator authenticator = open(config -> config.tokenCache(Duration.ZERO, 1));
    String token = signed(claims());
    assertThat(ask(authenticator, token)).isNotSameAs(ask(authenticator, token));
    assertThat(authenticator.cachedTokens()).isZero();
  }

  private String signed(JWTClaimsSet claims) {
    return TestIssuer.sign(TestIssuer.RSA, JWSAlgorithm.RS256, claims);
  }
}
