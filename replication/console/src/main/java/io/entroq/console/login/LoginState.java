package io.entroq.console.login;

import io.entroq.console.web.Signer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * What the console has to know again when the identity provider sends a browser back: kept in a
 * cookie that browsers send on the way back, unlike that of a session.
 *
 * @param state comes back in the URL, which shows that this browser has begun the login
 * @param nonce comes back in the ID token, which shows that it was made for this login
 * @param verifier proves to the provider that who redeems the code has asked for it
 * @param next where to go after the login
 */
record LoginState(String state, String nonce, String verifier, String next) {
  private static final String NAME = "__Host-entroq-login";
  private static final String ATTRIBUTES = "; Path=/; Secure; HttpOnly; SameSite=Lax";
  private static final String PURPOSE = "login\n";
  private static final int SECONDS_MAX = 600;
  private static final int RANDOM_BYTES = 32;
  private static final int FIELDS = 5;
  private static final SecureRandom RANDOM = new SecureRandom();
  private static final Base64.Encoder ENCODER = Base64.getUrlEncoder().withoutPadding();
  private static final Base64.Decoder DECODER = Base64.getUrlDecoder();

  /** Of a new login. */
  static LoginState begin(String next) {
    return new LoginState(random(), random(), random(), next);
  }

  private static String random() {
    byte[] bytes = new byte[RANDOM_BYTES];
    RANDOM.nextBytes(bytes);
    return ENCODER.encodeToString(bytes);
  }

  /** What the provider is told of the verifier before it is shown, RFC 7636. */
  String challenge() {
    try {
      return ENCODER.encodeToString(
          MessageDigest.getInstance("SHA-256")
              .digest(verifier.getBytes(StandardCharsets.US_ASCII)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  /** The header that stores it for ten minutes. */
  String header(byte[] secret, LongSupplier clock) {
    String content =
        String.join(
            ".",
            state,
            nonce,
            verifier,
            ENCODER.encodeToString(next.getBytes(StandardCharsets.UTF_8)),
            Long.toString(clock.getAsLong()));
    return NAME
        + "="
        + content
        + "."
        + ENCODER.encodeToString(new Signer(secret, PURPOSE).sign(content))
        + "; Max-Age="
        + SECONDS_MAX
        + ATTRIBUTES;
  }

  /** The header that makes the browser forget. */
  static String expired() {
    return NAME + "=; Max-Age=0" + ATTRIBUTES;
  }

  /** The login that a browser has begun within ten minutes. */
  static Optional<LoginState> read(String cookies, byte[] secret, LongSupplier clock) {
    return Cookies.find(cookies, NAME).flatMap(value -> decoded(value, secret, clock));
  }

  private static Optional<LoginState> decoded(String value, byte[] secret, LongSupplier clock) {
    int mark = value.lastIndexOf('.');
    String content = mark < 0 ? "" : value.substring(0, mark);
    String[] fields = content.split("\\.", -1);
    try {
      if (fields.length != FIELDS
          || !new Signer(secret, PURPOSE)
              .isSigned(content, DECODER.decode(value.substring(mark + 1)))) {
        return Optional.empty();
      }
      // Only what has our signature gets here, so the rest is as it was written.
      if (clock.getAsLong() - Long.parseLong(fields[4]) >= SECONDS_MAX * 1_000L) {
        return Optional.empty();
      }
      return Optional.of(
          new LoginState(
              fields[0],
              fields[1],
              fields[2],
              new String(DECODER.decode(fields[3]), StandardCharsets.UTF_8)));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  /** Whether the state in the URL is the one of this login. */
  boolean isOf(String sent) {
    return MessageDigest.isEqual(
        state.getBytes(StandardCharsets.UTF_8), sent.getBytes(StandardCharsets.UTF_8));
  }
}
