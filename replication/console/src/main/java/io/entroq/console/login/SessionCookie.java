package io.entroq.console.login;

import io.entroq.console.user.Role;
import io.entroq.console.user.Session;
import io.entroq.console.user.User;
import io.entroq.console.web.PageRequest;
import io.entroq.console.web.PageResponse;
import io.entroq.console.web.PageSite;
import io.entroq.console.web.PageUrls;
import io.entroq.console.web.Signer;
import io.entroq.service.call.Principal;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * Sessions as cookies that only this server, and others with the same secret, can make. Nothing is
 * stored, so a login survives the death of a member; and a session that was logged out is gone from
 * the browser only.
 *
 * <p>A seal is part of what is signed but not of the cookie, such as the hash of a password: when
 * it changes, the session ends.
 */
final class SessionCookie {
  /** The prefix has browsers accept it over TLS alone, for this host and all of its paths. */
  static final String NAME = "__Host-entroq";

  /** How long a session lasts. */
  static final Duration LENGTH = Duration.ofHours(8);

  private static final String ATTRIBUTES = "; Path=/; Secure; HttpOnly; SameSite=Strict";
  private static final int ID_BYTES = 16;
  private static final int FIELDS = 7;

  /** Browsers drop cookies above 4,096 bytes. */
  private static final int CHARS_MAX = 3_800;

  private static final Base64.Encoder ENCODER = Base64.getUrlEncoder().withoutPadding();
  private static final Base64.Decoder DECODER = Base64.getUrlDecoder();

  private final Signer signer;
  private final LongSupplier clock;
  private final SecureRandom random = new SecureRandom();

  /**
   * @param secret at least 32 bytes
   * @param clock milliseconds since the epoch
   */
  SessionCookie(byte[] secret, LongSupplier clock) {
    signer = new Signer(secret, "session\n");
    this.clock = clock;
  }

  /** A new session of a user. */
  Session begin(String name, Role role, String subject, String issuer, String claims) {
    byte[] id = new byte[ID_BYTES];
    random.nextBytes(id);
    long now = clock.getAsLong();
    return session(
        name,
        role,
        subject,
        issuer,
        claims,
        ENCODER.encodeToString(id),
        now,
        now + LENGTH.toMillis());
  }

  private static Session session(
      String name,
      Role role,
      String subject,
      String issuer,
      String claims,
      String id,
      long startMs,
      long endMs) {
    Principal principal =
        new Principal(subject, issuer, List.of("entroq-console"), endMs / 1_000, claims);
    return new Session(new User(name, role, Optional.of(principal)), id, startMs, endMs);
  }

  /** The header that stores a session. */
  String header(Session session, String seal) {
    Principal principal = session.user().principal().orElseThrow();
    String value = value(session, principal, principal.claims(), seal);
    if (value.length() > CHARS_MAX) {
      // What an authorizer may ask for beyond the subject is lost, and then it denies.
      value = value(session, principal, "{}", seal);
    }
    return NAME + "=" + value + "; Max-Age=" + LENGTH.toSeconds() + ATTRIBUTES;
  }

  private String value(Session session, Principal principal, String claims, String seal) {
    String content =
        String.join(
            ".",
            text(session.user().name()),
            text(session.user().role().label()),
            text(principal.subject()),
            text(principal.issuer()),
            text(claims),
            text(session.id()),
            Long.toString(session.startMs()));
    return content + "." + ENCODER.encodeToString(signer.sign(sealed(content, seal)));
  }

  private static String sealed(String content, String seal) {
    return content + "\n" + seal;
  }

  private static String text(String text) {
    return ENCODER.encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  /** Makes the browser forget, and shows the page to log in. */
  static CompletionStage<PageResponse> logOut(PageRequest request) {
    return CompletableFuture.completedFuture(
        PageResponse.seeOther(PageUrls.to(PageSite.LOGIN))
            .with("set-cookie", NAME + "=; Max-Age=0" + ATTRIBUTES));
  }

  /**
   * The session of a request.
   *
   * @param cookies the header
   * @param seals the seal of a user by name; empty if there is no such user any more
   */
  Optional<Session> read(String cookies, Function<String, Optional<String>> seals) {
    return Cookies.find(cookies, NAME).flatMap(value -> decoded(value, seals));
  }

  private Optional<Session> decoded(String value, Function<String, Optional<String>> seals) {
    int mark = value.lastIndexOf('.');
    if (mark < 0) {
      return Optional.empty();
    }
    String content = value.substring(0, mark);
    String[] fields = content.split("\\.", -1);
    if (fields.length != FIELDS) {
      return Optional.empty();
    }
    try {
      String name = text(fields, 0);
      String signed = value.substring(mark + 1);
      byte[] signature = DECODER.decode(signed);
      // The last letter has bits that say nothing, and then several letters would do.
      boolean isAsWritten = ENCODER.encodeToString(signature).equals(signed);
      Optional<String> seal = seals.apply(name);
      if (!isAsWritten
          || seal.isEmpty()
          || !signer.isSigned(sealed(content, seal.get()), signature)) {
        return Optional.empty();
      }
      // Only what has our signature gets here, so the rest is as it was written.
      long startMs = Long.parseLong(fields[6]);
      long endMs = startMs + LENGTH.toMillis();
      return clock.getAsLong() >= endMs
          ? Optional.empty()
          : Optional.of(
              session(
                  name,
                  Role.named(text(fields, 1)).orElseThrow(),
                  text(fields, 2),
                  text(fields, 3),
                  text(fields, 4),
                  text(fields, 5),
                  startMs,
                  endMs));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private static String text(String[] fields, int index) {
    return new String(DECODER.decode(fields[index]), StandardCharsets.UTF_8);
  }
}
