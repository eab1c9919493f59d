package io.entroq.cluster.session;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.aeron.security.SessionProxy;
import io.entroq.engine.state.Levels;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;

/** Which sessions are admitted. */
class MemberAuthenticatorTest {
  private final MemberAuthenticator authenticator = new MemberAuthenticator(Optional.empty());
  private final Proxy proxy = new Proxy();
  private MemberAuthenticator guarded;

  @Test
  void shouldRecordThePrincipal() {
    authenticator.onConnectRequest(Proxy.ID, MemberPrincipal.of(42), 0);
    authenticator.onConnectedSession(proxy, 0);
    assertThat(MemberPrincipal.incarnation(proxy.principal)).isEqualTo(42);
    assertThat(proxy.isRejected).isFalse();
  }

  @Test
  void shouldRejectInvalidPrincipals() {
    for (byte[] credentials : new byte[][] {new byte[0], new byte[16], new byte[17]}) {
      authenticator.onConnectRequest(Proxy.ID, credentials, 0);
      proxy.isRejected = false;
      authenticator.onConnectedSession(proxy, 0);
      assertThat(proxy.isRejected).isTrue();
    }
    assertThat(proxy.principal).isNull();
  }

  @Test
  void shouldLimitPendingSessions() {
    for (long id = 0; id < 100_000; id++) {
      authenticator.onConnectRequest(id, MemberPrincipal.of(1), 0);
    }
    authenticator.onConnectRequest(Proxy.ID, MemberPrincipal.of(7), 0);
    authenticator.onConnectedSession(proxy, 0);
    assertThat(MemberPrincipal.incarnation(proxy.principal)).isEqualTo(7);
  }

  @Test
  void shouldAdmitAMemberWhileOthersConnect() {
    for (long id = 0; id < 2_000; id++) {
      authenticator.onConnectRequest(id, MemberPrincipal.of(1), 0);
    }
    authenticator.onConnectRequest(Proxy.ID, MemberPrincipal.of(7), 0);
    for (long id = 10_000; id < 10_100; id++) {
      authenticator.onConnectRequest(id, MemberPrincipal.of(1), 0);
    }
    authenticator.onConnectedSession(proxy, 0);
    assertThat(MemberPrincipal.incarnation(proxy.principal)).isEqualTo(7);
  }

  @Test
  void shouldAdmitSessionsThatKnowTheSecret() {
    MemberSecret secret = secret("the secret of members");
    byte[] challenge = challenge(secret);
    byte[] answer = secret.answer(challenge, MemberPrincipal.of(42));
    assertThat(proxy.principal).isNull();
    guarded.onChallengedSession(proxy, 0);
    assertThat(proxy.principal).isNull();
    assertThat(proxy.isRejected).isFalse();
    guarded.onChallengeResponse(Proxy.ID, answer, 0);
    guarded.onChallengedSession(proxy, 0);
    assertThat(MemberPrincipal.incarnation(proxy.principal)).isEqualTo(42);
    assertThat(proxy.principal).hasSize(16);
  }

  @Test
  void shouldRejectSessionsWithoutTheSecret() {
    MemberSecret secret = secret("the secret of members");
    byte[] first = secret.answer(challenge(secret), MemberPrincipal.of(42));
    byte[] second = challenge(secret);
    assertThat(second).hasSize(32);
    byte[] known = secret.answer(second, MemberPrincipal.of(42));
    byte[] flipped = known.clone();
    flipped[31] ^= 1;
    byte[][] answers = {
      new byte[0],
      MemberPrincipal.of(42),
      secret("another secret of members").answer(second, MemberPrincipal.of(42)),
      secret.answer(second, MemberPrincipal.of(43)),
      // Replayed from another session.
      first,
      flipped,
      Arrays.copyOf(known, 31),
      Arrays.copyOf(known, 33),
    };
    for (byte[] answer : answers) {
      challenge(secret);
      guarded.onChallengeResponse(Proxy.ID, answer, 0);
      proxy.isRejected = false;
      guarded.onChallengedSession(proxy, 0);
      assertThat(proxy.isRejected).isTrue();
    }
    assertThat(proxy.principal).isNull();
  }

  /** Which prove nothing to archives. */
  @Test
  void shouldAdmitOlderMembersToAnArchiveBelowTheLevelOfImages() {
    for (int level = 0; level <= Levels.IMAGES; level++) {
      int known = level;
      ArchiveAccess access =
          new ArchiveAccess(Optional.of(secret("the secret of members")), () -> known);
      guarded = (MemberAuthenticator) access.authenticator();
      connect(new byte[0]);
      boolean isAdmitted = level > 0 && level < Levels.IMAGES;
      assertThat(proxy.principal != null).as("at level " + level).isEqualTo(isAdmitted);
      assertThat(proxy.isRejected).isNotEqualTo(isAdmitted);
      // What names a principal is of this build and must know the secret.
      connect(MemberPrincipal.of(42));
      assertThat(proxy.principal).isNull();
      assertThat(proxy.challenge).isNotNull();
    }
  }

  /** Who looks for the cause of the refusal must find it. */
  @Test
  void shouldSayWhyASessionIsRefusedThoughItHasJustLoggedSomethingElse() {
    Logger logger = Logger.getLogger(MemberAuthenticator.class.getName());
    List<String> lines = new ArrayList<>();
    Handler handler = new Lines(lines);
    logger.addHandler(handler);
    try {
      MemberSecret secret = secret("the secret of members");
      guarded =
          (MemberAuthenticator)
              new ArchiveAccess(Optional.of(secret), () -> Levels.IMAGES - 1).authenticator();
      for (int i = 0; i < 3; i++) {
        connect(new byte[0]);
        connect(MemberPrincipal.of(42));
        guarded.onChallengeResponse(Proxy.ID, new byte[32], 0);
        guarded.onChallengedSession(proxy, 0);
      }
    } finally {
      logger.removeHandler(handler);
    }
    assertThat(lines)
        .satisfiesExactly(
            line -> assertThat(line).startsWith("A session reads this member's archive without"),
            line -> assertThat(line).startsWith("A session was refused because its secret"));
  }

  private static final class Lines extends Handler {
    private final List<String> lines;

    private Lines(List<String> lines) {
      this.lines = lines;
    }

    @Override
    public void publish(LogRecord line) {
      lines.add(line.getMessage());
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }

  private void connect(byte[] credentials) {
    proxy.principal = null;
    proxy.challenge = null;
    proxy.isRejected = false;
    guarded.onConnectRequest(Proxy.ID, credentials, 0);
    guarded.onConnectedSession(proxy, 0);
  }

  @Test
  void shouldRefuseShortSecrets() {
    assertThatThrownBy(() -> secret("fifteen letters"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("the members' secret must have at least 16 bytes, has 15");
    assertThat(secret("sixteen letters!")).hasToString("***");
  }

  private byte[] challenge(MemberSecret secret) {
    guarded = new MemberAuthenticator(Optional.of(secret));
    guarded.onConnectRequest(Proxy.ID, MemberPrincipal.of(42), 0);
    guarded.onConnectedSession(proxy, 0);
    return proxy.challenge;
  }

  private static MemberSecret secret(String text) {
    return MemberSecret.of(text.getBytes(UTF_8));
  }

  private static final class Proxy implements SessionProxy {
    static final long ID = 1_000_000;

    private byte[] principal;
    private byte[] challenge;
    private boolean isRejected;

    @Override
    public long sessionId() {
      return ID;
    }

    @Override
    public boolean challenge(byte[] encodedChallenge) {
      challenge = encodedChallenge;
      return true;
    }

    @Override
    public boolean authenticate(byte[] encodedPrincipal) {
      principal = encodedPrincipal;
      return true;
    }

    @Override
    public void reject() {
      isRejected = true;
    }
  }
}
