package io.entroq.cluster.session;

import io.aeron.security.Authenticator;
import io.aeron.security.SessionProxy;
import org.agrona.collections.Long2ObjectHashMap;

/**
 * Lets sessions of members in, and takes down whose they are. It is no protection: members have to
 * be on a network of their own. Consensus module's thread.
 */
public final class MemberAuthenticator implements Authenticator {
  /** More than can be connecting at once; beyond it those that never came back are forgotten. */
  private static final int CONNECTING_MAX = 1_024;

  private final Long2ObjectHashMap<byte[]> connecting = new Long2ObjectHashMap<>();

  /** An authenticator that knows of nobody yet. */
  public MemberAuthenticator() {}

  @Override
  public void onConnectRequest(long sessionId, byte[] encodedCredentials, long nowMs) {
    if (connecting.size() >= CONNECTING_MAX) {
      connecting.clear();
    }
    connecting.put(sessionId, encodedCredentials);
  }

  @Override
  public void onChallengeResponse(long sessionId, byte[] encodedCredentials, long nowMs) {
    connecting.put(sessionId, encodedCredentials);
  }

  @Override
  public void onConnectedSession(SessionProxy sessionProxy, long nowMs) {
    byte[] credentials = connecting.get(sessionProxy.sessionId());
    if (!MemberPrincipal.isValid(credentials)) {
      connecting.remove(sessionProxy.sessionId());
      sessionProxy.reject();
    } else if (sessionProxy.authenticate(credentials)) {
      connecting.remove(sessionProxy.sessionId());
    }
  }

  @Override
  public void onChallengedSession(SessionProxy sessionProxy, long nowMs) {
    onConnectedSession(sessionProxy, nowMs);
  }
}
