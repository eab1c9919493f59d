package io.entroq.cluster.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.aeron.security.SessionProxy;
import org.junit.jupiter.api.Test;

/** Who is let in. */
class MemberAuthenticatorTest {
  private final MemberAuthenticator authenticator = new MemberAuthenticator();
  private final Proxy proxy = new Proxy();

  @Test
  void shouldTakeDownWhoseTheSessionIs() {
    authenticator.onConnectRequest(Proxy.ID, MemberPrincipal.of(42), 0);
    authenticator.onConnectedSession(proxy, 0);
    assertThat(MemberPrincipal.incarnation(proxy.principal)).isEqualTo(42);
    assertThat(proxy.isRejected).isFalse();
  }

  @Test
  void shouldRejectWhoDoesNotSay() {
    for (byte[] credentials : new byte[][] {new byte[0], new byte[16], new byte[17]}) {
      authenticator.onConnectRequest(Proxy.ID, credentials, 0);
      proxy.isRejected = false;
      authenticator.onConnectedSession(proxy, 0);
      assertThat(proxy.isRejected).isTrue();
    }
    assertThat(proxy.principal).isNull();
  }

  @Test
  void shouldNotGrowWithThoseWhoNeverComeBack() {
    for (long id = 0; id < 100_000; id++) {
      authenticator.onConnectRequest(id, MemberPrincipal.of(1), 0);
    }
    authenticator.onConnectRequest(Proxy.ID, MemberPrincipal.of(7), 0);
    authenticator.onConnectedSession(proxy, 0);
    assertThat(MemberPrincipal.incarnation(proxy.principal)).isEqualTo(7);
  }

  private static final class Proxy implements SessionProxy {
    static final long ID = 1_000_000;

    private byte[] principal;
    private boolean isRejected;

    @Override
    public long sessionId() {
      return ID;
    }

    @Override
    public boolean challenge(byte[] encodedChallenge) {
      return false;
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
