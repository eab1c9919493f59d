package io.entroq.cluster.session;

import io.aeron.Aeron;
import io.aeron.cluster.client.AeronCluster;
import io.aeron.cluster.client.EgressListener;
import io.aeron.exceptions.AeronException;
import io.aeron.logbuffer.Header;
import io.aeron.security.AuthenticationException;
import io.entroq.engine.replica.Sequencer;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.TimeUnit;
import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;

/**
 * The member's session: finds the leader, follows it to the next one, and reopens when it ends. No
 * method blocks. Proposing thread.
 */
final class LeaderConnection implements Sequencer, EgressListener, AutoCloseable {
  private static final Logger LOGGER = System.getLogger(LeaderConnection.class.getName());

  /** After a failed attempt. */
  private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(50);

  private final SessionConfig config;
  private final Aeron aeron;
  private final byte[] principal;
  private AeronCluster session;
  private AeronCluster.AsyncConnect connecting;
  private boolean isNew;
  private boolean wasRefused;
  private long droppedNs = System.nanoTime() - PAUSE_NS;
  private long lastSentNs;

  LeaderConnection(SessionConfig config, Aeron aeron, byte[] principal) {
    this.config = config;
    this.aeron = aeron;
    this.principal = principal;
  }

  /**
   * Polls the session or continues to connect.
   *
   * @return amount of work done
   */
  int poll() {
    try {
      if (session != null) {
        return pollSession();
      }
      return pollConnecting();
    } catch (AuthenticationException e) {
      logRefusal();
      drop();
      droppedNs = System.nanoTime();
      return 1;
    } catch (AeronException e) {
      if (aeron.isClosed()) {
        // No other attempt can succeed.
        throw e;
      }
      config.error().accept(e);
      drop();
      droppedNs = System.nanoTime();
      return 1;
    }
  }

  private void logRefusal() {
    if (!wasRefused) {
      wasRefused = true;
      LOGGER.log(
          Level.ERROR,
          "The leader refused the session of this member, which has {0}. All members must have the"
              + " same. The member keeps trying",
          config.secret().isPresent() ? "another secret" : "no secret");
    }
  }

  /** Whether the session has got a new leader since the last call. */
  boolean takeNew() {
    boolean wasNew = isNew;
    isNew = false;
    return wasNew;
  }

  /**
   * The current leader.
   *
   * @param last the previous result; returned again if nothing has changed
   */
  Leadership leadership(Leadership last) {
    if (session == null) {
      return Leadership.NONE;
    }
    boolean isSame =
        last.termId() == session.leadershipTermId() && last.memberId() == session.leaderMemberId();
    return isSame ? last : new Leadership(session.leadershipTermId(), session.leaderMemberId());
  }

  private int pollSession() {
    int done = session.pollEgress();
    if (session.isClosed()) {
      drop();
      return 1;
    }
    long nowNs = System.nanoTime();
    if (nowNs - lastSentNs > config.keepAlive().toNanos()) {
      lastSentNs = nowNs;
      session.sendKeepAlive();
    }
    return done;
  }

  private int pollConnecting() {
    if (connecting == null) {
      if (System.nanoTime() - droppedNs < PAUSE_NS) {
        return 0;
      }
      connecting = AeronCluster.asyncConnect(context());
      return 1;
    }
    session = connecting.poll();
    if (session == null) {
      return 0;
    }
    connecting = null;
    wasRefused = false;
    isNew = true;
    lastSentNs = System.nanoTime();
    return 1;
  }

  private AeronCluster.Context context() {
    return new AeronCluster.Context()
        .aeron(aeron)
        .ownsAeronClient(false)
        .ingressChannel(config.ingressChannel())
        .ingressStreamId(config.ingressStreamId())
        .ingressEndpoints(config.ingressEndpoints())
        .egressChannel(config.egressChannel())
        .isIngressExclusive(true)
        .messageTimeoutNs(config.connectTimeout().toNanos())
        .newLeaderTimeoutNs(config.leaderTimeout().toNanos())
        .credentialsSupplier(new MemberCredentials(principal, config.secret()))
        .errorHandler(config.error()::accept)
        .egressListener(this);
  }

  /** An eighth of a term of the log, which tests make short. */
  @Override
  public int messageBytesMax() {
    return session == null
        ? Integer.MAX_VALUE
        : session.ingressPublication().maxMessageLength() - AeronCluster.SESSION_HEADER_LENGTH;
  }

  @Override
  public boolean offer(DirectBuffer buffer, int offset, int length) {
    if (session == null || session.isClosed() || session.offer(buffer, offset, length) <= 0) {
      return false;
    }
    config.sent().run();
    lastSentNs = System.nanoTime();
    return true;
  }

  /** Not used: the member answers its callers when it applies their commands. */
  @Override
  public void onMessage(
      long clusterSessionId,
      long timestamp,
      DirectBuffer buffer,
      int offset,
      int length,
      Header header) {}

  @Override
  public void onNewLeader(
      long clusterSessionId, long leadershipTermId, int leaderMemberId, String ingressEndpoints) {
    isNew = true;
  }

  /** Ends the session without telling the leader, which times it out. */
  void drop() {
    CloseHelper.quietClose(connecting);
    connecting = null;
    if (session != null) {
      CloseHelper.quietClose(session.ingressPublication());
      CloseHelper.quietClose(session);
      session = null;
    }
  }

  /** Closes the session, which tells the leader that this member's callers are gone. */
  @Override
  public void close() {
    CloseHelper.quietClose(connecting);
    CloseHelper.quietClose(session);
  }
}
