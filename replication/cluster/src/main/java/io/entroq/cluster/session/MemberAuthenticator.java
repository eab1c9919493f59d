package io.entroq.cluster.session;

import io.aeron.security.Authenticator;
import io.aeron.security.SessionProxy;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.security.SecureRandom;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/**
 * Admits sessions with the consensus module or with the archive, and records their principals. With
 * a secret, it admits only sessions that know it. One thread.
 */
public final class MemberAuthenticator implements Authenticator {
  private static final Logger LOGGER = System.getLogger(MemberAuthenticator.class.getName());

  /** More than connect at once; beyond it, the oldest are forgotten. */
  private static final int PENDING_MAX = 1_024;

  private static final int CHALLENGE_BYTES = 32;

  /** Between two equal log messages, so that strangers cannot fill the disk with them. */
  private static final long LOG_INTERVAL_NS = TimeUnit.MINUTES.toNanos(1);

  private final Optional<MemberSecret> secret;
  private final Predicate<byte[]> hasPrincipal;
  private final BooleanSupplier admitsOlder;
  private final SecureRandom random = new SecureRandom();
  private final LinkedHashMap<Long, PendingSession> pending = new LinkedHashMap<>();

  /** When a session was last said to have been refused, by the reason. */
  private final Map<String, Long> refusedNs = new HashMap<>();

  private boolean hasToldOfOlder;

  private MemberAuthenticator(
      Optional<MemberSecret> secret, Predicate<byte[]> hasPrincipal, BooleanSupplier admitsOlder) {
    this.secret = secret;
    this.hasPrincipal = hasPrincipal;
    this.admitsOlder = admitsOlder;
  }

  /**
   * @param secret if empty, every session with a valid principal is admitted
   */
  public MemberAuthenticator(Optional<MemberSecret> secret) {
    this(secret, MemberPrincipal::isValid, () -> false);
  }

  /**
   * For an archive. Older builds have no principal there.
   *
   * @param secret if empty, every session is admitted
   * @param admitsOlder whether sessions without a principal are admitted though there is a secret
   */
  static MemberAuthenticator ofArchive(Optional<MemberSecret> secret, BooleanSupplier admitsOlder) {
    return new MemberAuthenticator(
        secret, secret.isPresent() ? MemberPrincipal::isValid : principal -> true, admitsOlder);
  }

  @Override
  public void onConnectRequest(long sessionId, byte[] encodedCredentials, long nowMs) {
    if (pending.size() >= PENDING_MAX) {
      // The oldest is not a member's, since those are admitted at once.
      pending.remove(pending.keySet().iterator().next());
    }
    pending.put(sessionId, new PendingSession(encodedCredentials));
  }

  @Override
  public void onChallengeResponse(long sessionId, byte[] encodedCredentials, long nowMs) {
    PendingSession session = pending.get(sessionId);
    if (session != null) {
      session.answer = encodedCredentials;
    }
  }

  @Override
  public void onConnectedSession(SessionProxy sessionProxy, long nowMs) {
    PendingSession session = pending.get(sessionProxy.sessionId());
    if (session == null) {
      reject(sessionProxy);
    } else if (!hasPrincipal.test(session.principal)) {
      if (admitsOlder.getAsBoolean()) {
        tellOfOlder();
        accept(sessionProxy, session);
      } else {
        logRefusal("it is not a member's, or of a build that is too old to prove that it is");
        reject(sessionProxy);
      }
    } else if (secret.isEmpty()) {
      accept(sessionProxy, session);
    } else {
      if (session.challenge == null) {
        session.challenge = new byte[CHALLENGE_BYTES];
        random.nextBytes(session.challenge);
      }
      // If this fails because of back-pressure, the method is called again.
      sessionProxy.challenge(session.challenge);
    }
  }

  @Override
  public void onChallengedSession(SessionProxy sessionProxy, long nowMs) {
    PendingSession session = pending.get(sessionProxy.sessionId());
    if (session == null || secret.isEmpty() || session.challenge == null) {
      reject(sessionProxy);
    } else if (session.answer != null) {
      if (secret.get().isAnswer(session.answer, session.challenge, session.principal)) {
        accept(sessionProxy, session);
      } else {
        logRefusal("its secret differs from this member's. All members must have the same secret");
        reject(sessionProxy);
      }
    }
  }

  private void accept(SessionProxy sessionProxy, PendingSession session) {
    if (sessionProxy.authenticate(session.principal)) {
      pending.remove(sessionProxy.sessionId());
    }
  }

  private void reject(SessionProxy sessionProxy) {
    pending.remove(sessionProxy.sessionId());
    sessionProxy.reject();
  }

  private void logRefusal(String why) {
    long nowNs = System.nanoTime();
    Long before = refusedNs.get(why);
    if (before == null || nowNs - before >= LOG_INTERVAL_NS) {
      refusedNs.put(why, nowNs);
      LOGGER.log(Level.WARNING, "A session was refused because " + why);
    }
  }

  private void tellOfOlder() {
    if (!hasToldOfOlder) {
      hasToldOfOlder = true;
      LOGGER.log(
          Level.WARNING,
          "A session reads this member's archive without the secret, as members of older builds"
              + " do. That ends when the behavior level is raised");
    }
  }

  private static final class PendingSession {
    private final byte[] principal;
    private byte[] challenge;
    private byte[] answer;

    PendingSession(byte[] principal) {
      this.principal = principal;
    }
  }
}
