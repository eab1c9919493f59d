package io.entroq.cluster.session;

import io.aeron.security.Authenticator;
import io.aeron.security.SessionProxy;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.security.SecureRandom;
import java.util.LinkedHashMap;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Lets sessions of members in, and takes down whose they are: with a secret, of those that know it;
 * without one, of whoever says that he is one. Consensus module's thread.
 */
public final class MemberAuthenticator implements Authenticator {
  private static final Logger LOGGER = System.getLogger(MemberAuthenticator.class.getName());

  /** More than can be connecting at once; beyond it those that never came back are forgotten. */
  private static final int CONNECTING_MAX = 1_024;

  private static final int CHALLENGE_BYTES = 32;

  /** Between two words about the same, as strangers could fill a disk by it. */
  private static final long SILENCE_NS = TimeUnit.MINUTES.toNanos(1);

  private final Optional<MemberSecret> secret;
  private final SecureRandom random = new SecureRandom();
  private final LinkedHashMap<Long, Connecting> connecting = new LinkedHashMap<>();
  private long toldNs = System.nanoTime() - SILENCE_NS;

  /**
   * An authenticator that knows of nobody yet.
   *
   * @param secret empty: whoever can connect is let in
   */
  public MemberAuthenticator(Optional<MemberSecret> secret) {
    this.secret = secret;
  }

  @Override
  public void onConnectRequest(long sessionId, byte[] encodedCredentials, long nowMs) {
    if (connecting.size() >= CONNECTING_MAX) {
      // Whoever has been at it for longest; members are let in at once.
      connecting.remove(connecting.keySet().iterator().next());
    }
    connecting.put(sessionId, new Connecting(encodedCredentials));
  }

  @Override
  public void onChallengeResponse(long sessionId, byte[] encodedCredentials, long nowMs) {
    Connecting one = connecting.get(sessionId);
    if (one != null) {
      one.answer = encodedCredentials;
    }
  }

  @Override
  public void onConnectedSession(SessionProxy sessionProxy, long nowMs) {
    Connecting one = connecting.get(sessionProxy.sessionId());
    if (one == null || !MemberPrincipal.isValid(one.principal)) {
      reject(sessionProxy);
    } else if (secret.isEmpty()) {
      accept(sessionProxy, one);
    } else {
      if (one.challenge == null) {
        one.challenge = new byte[CHALLENGE_BYTES];
        random.nextBytes(one.challenge);
      }
      // If there was no room for it, this is called again.
      sessionProxy.challenge(one.challenge);
    }
  }

  @Override
  public void onChallengedSession(SessionProxy sessionProxy, long nowMs) {
    Connecting one = connecting.get(sessionProxy.sessionId());
    if (one == null || secret.isEmpty() || one.challenge == null) {
      reject(sessionProxy);
    } else if (one.answer != null) {
      if (secret.get().isAnswer(one.answer, one.challenge, one.principal)) {
        accept(sessionProxy, one);
      } else {
        tellOfStranger();
        reject(sessionProxy);
      }
    }
  }

  private void accept(SessionProxy sessionProxy, Connecting one) {
    if (sessionProxy.authenticate(one.principal)) {
      connecting.remove(sessionProxy.sessionId());
    }
  }

  private void reject(SessionProxy sessionProxy) {
    connecting.remove(sessionProxy.sessionId());
    sessionProxy.reject();
  }

  private void tellOfStranger() {
    long nowNs = System.nanoTime();
    if (nowNs - toldNs >= SILENCE_NS) {
      toldNs = nowNs;
      LOGGER.log(
          Level.WARNING,
          "A session was refused: whoever opens it does not know the secret of this"
              + " member. All members have to have the same");
    }
  }

  /** Somebody who is not let in yet. */
  private static final class Connecting {
    private final byte[] principal;
    private byte[] challenge;
    private byte[] answer;

    Connecting(byte[] principal) {
      this.principal = principal;
    }
  }
}
