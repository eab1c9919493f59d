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
 * The one session of a member: finds the leader, follows it to the next one, and is opened anew
 * when it has come to an end. Steps that do not wait. Proposing thread.
 */
final class LeaderConnection implements Sequencer, EgressListener, AutoCloseable {
  private static final Logger LOGGER = System.getLogger(LeaderConnection.class.getName());

  /** After an attempt that has failed. */
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

  /**
   * @param principal see {@link MemberPrincipal}
   */
  LeaderConnection(SessionConfig config, Aeron aeron, byte[] principal) {
    this.config = config;
    this.aeron = aeron;
    this.principal = principal;
  }

  /**
   * Does the next step, whatever it is.
   *
   * @return how much was done; 0: nothing
   */
  int poll() {
    try {
      if (session != null) {
        return pollSession();
      }
      return pollConnecting();
    } catch (AuthenticationException e) {
      tellOfRefusal();
      drop();
      droppedNs = System.nanoTime();
      return 1;
    } catch (AeronException e) {
      if (aeron.isClosed()) {
        // No other attempt will ever come to anything.
        throw e;
      }
      config.error().accept(e);
      drop();
      droppedNs = System.nanoTime();
      return 1;
    }
  }

  private void tellOfRefusal() {
    if (!wasRefused) {
      wasRefused = true;
      LOGGER.log(
          Level.ERROR,
          "The leader has refused the session of this member, which has {0}: all members have to"
              + " have the same. It goes on trying",
          config.secret().isPresent() ? "another secret" : "no secret");
    }
  }

  /** Whether a leader has been found or found again since this was asked last. */
  boolean takeNew() {
    boolean wasNew = isNew;
    isNew = false;
    return wasNew;
  }

  /**
   * Who leads now.
   *
   * @param last what this has returned before; again the same if nothing has changed
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
        .ingressEndpoints(config.ingressEndpoints())
        .egressChannel(config.egressChannel())
        .isIngressExclusive(true)
        .messageTimeoutNs(config.connectTimeout().toNanos())
        .newLeaderTimeoutNs(config.leaderTimeout().toNanos())
        .credentialsSupplier(new MemberCredentials(principal, config.secret()))
        .errorHandler(config.error()::accept)
        .egressListener(this);
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

  /** Answers do not come this way: the member takes them where it applies the command. */
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

  /** Ends the session without a word to the leader, who finds out by himself. */
  void drop() {
    CloseHelper.quietClose(connecting);
    connecting = null;
    if (session != null) {
      CloseHelper.quietClose(session.ingressPublication());
      CloseHelper.quietClose(session);
      session = null;
    }
  }

  /** Tells the leader that this member's callers are gone. */
  @Override
  public void close() {
    CloseHelper.quietClose(connecting);
    CloseHelper.quietClose(session);
  }
}
