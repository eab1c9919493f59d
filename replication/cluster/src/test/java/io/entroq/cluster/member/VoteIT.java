package io.entroq.cluster.member;

import static org.assertj.core.api.Assertions.assertThat;

import io.aeron.cluster.ConsensusModule;
import io.aeron.cluster.codecs.CommitPositionDecoder;
import io.aeron.cluster.codecs.MessageHeaderDecoder;
import io.aeron.cluster.codecs.NewLeadershipTermDecoder;
import io.aeron.cluster.codecs.RequestVoteDecoder;
import io.aeron.cluster.codecs.VoteDecoder;
import io.aeron.logbuffer.FrameDescriptor;
import io.aeron.protocol.DataHeaderFlyweight;
import io.aeron.protocol.HeaderFlyweight;
import io.entroq.api.EntroQ;
import io.entroq.api.EntroQException;
import io.entroq.api.Modification;
import io.entroq.api.TaskQuery;
import io.entroq.engine.ThroughInterrupts;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.agrona.BitUtil;
import org.agrona.DirectBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A vote is kept, however late it is counted. */
class VoteIT {
  private static final Duration TIMEOUT = Duration.ofSeconds(1);

  /** Short, so that the leader does not take the voter, which is silent meanwhile, for dead. */
  private static final Duration BALLOT = Duration.ofMillis(250);

  private static final int NOBODY = -1;

  private final Map<Integer, StallingClock> clocks = new ConcurrentHashMap<>();

  @TempDir Path directory;

  @BeforeEach
  void installFaults() {
    FaultyEndpoints.install();
  }

  @AfterEach
  void removeFaults() {
    FaultyEndpoints.remove();
  }

  /**
   * Followers do not hear their leader, which does not hear that one of them asks for votes. The
   * other one votes, and then hears the leader again. The candidate counts the vote when the leader
   * and the voter have committed more.
   */
  @Test
  void shouldKeepWhatIsCommittedWhileACandidateStalls() throws Exception {
    AtomicInteger candidate = new AtomicInteger(NOBODY);
    AtomicBoolean hasVote = new AtomicBoolean();
    AtomicBoolean isOver = new AtomicBoolean();
    try (TestCluster cluster = start()) {
      int leader = cluster.awaitLeader();
      cluster.queue(leader).modify(Modification.insert("inbox", "first")).orThrow();
      cluster.awaitAgreement();
      FaultyEndpoints.add(
          cluster.member(leader).config(),
          (frame, length, age) -> {
            int asking = asking(frame, length);
            return !isOver.get()
                && asking != NOBODY
                && (asking == candidate.get() || candidate.get() == NOBODY);
          });
      for (int id = 0; id < TestCluster.MEMBERS; id++) {
        int follower = id;
        if (id != leader) {
          FaultyEndpoints.add(
              cluster.member(id).config(),
              (frame, length, age) -> {
                int asking = asking(frame, length);
                if (asking != NOBODY && candidate.compareAndSet(NOBODY, asking)) {
                  // Before the vote, so that it cannot be counted yet.
                  ThroughInterrupts.await(() -> clocks.get(asking).stall());
                }
                if (follower == candidate.get() && has(frame, length, VoteDecoder.TEMPLATE_ID)) {
                  hasVote.set(true);
                }
                return isOfLeader(frame, length)
                    && !(follower == candidate.get() ? isOver : hasVote).get();
              });
        }
      }
      Await.until("a member has voted", hasVote::get);
      int voter = TestCluster.MEMBERS - leader - candidate.get();
      Await.until(
          "a command is committed without the candidate", () -> commits(cluster.queue(voter)));
      isOver.set(true);
      clocks.get(candidate.get()).goOn();
      cluster.awaitLeader();
      cluster.awaitAgreement();
      assertThat(cluster.queue(leader).tasks(TaskQuery.in("inbox")))
          .extracting(task -> task.value().asText())
          .contains("first", "meanwhile");
    } finally {
      isOver.set(true);
      clocks.values().forEach(StallingClock::goOn);
    }
  }

  private TestCluster start() throws Exception {
    return new TestCluster(
            directory,
            settings -> {
              StallingClock clock = new StallingClock();
              clocks.put(settings.build().memberId(), clock);
              return settings.clock(() -> clock).liveness(liveness());
            })
        .bootstrap();
  }

  private static Liveness liveness() {
    Liveness all = Liveness.withHeartbeatTimeout(TIMEOUT);
    return new Liveness(
        all.heartbeatInterval(),
        all.heartbeatTimeout(),
        BALLOT,
        all.canvassTimeout(),
        all.sessionTimeout(),
        all.processTimeout());
  }

  private static boolean commits(EntroQ queue) {
    try {
      queue.modify(Modification.insert("inbox", "meanwhile")).orThrow();
      return true;
    } catch (EntroQException e) {
      return false;
    }
  }

  private static boolean isOfLeader(DirectBuffer frames, int length) {
    return has(frames, length, NewLeadershipTermDecoder.TEMPLATE_ID)
        || has(frames, length, CommitPositionDecoder.TEMPLATE_ID);
  }

  /** The member that asks for a vote, or nobody. */
  private static int asking(DirectBuffer frames, int length) {
    int at = find(frames, length, RequestVoteDecoder.TEMPLATE_ID);
    if (at < 0) {
      return NOBODY;
    }
    RequestVoteDecoder request = new RequestVoteDecoder();
    request.wrapAndApplyHeader(frames, at, new MessageHeaderDecoder());
    return request.candidateMemberId();
  }

  private static boolean has(DirectBuffer frames, int length, int templateId) {
    return find(frames, length, templateId) >= 0;
  }

  /** Where a message between consensus modules begins; negative if there is none. */
  private static int find(DirectBuffer frames, int length, int templateId) {
    DataHeaderFlyweight header = new DataHeaderFlyweight();
    MessageHeaderDecoder message = new MessageHeaderDecoder();
    int offset = 0;
    while (offset + DataHeaderFlyweight.HEADER_LENGTH < length) {
      header.wrap(frames, offset, length - offset);
      int at = offset + DataHeaderFlyweight.HEADER_LENGTH;
      if (header.headerType() != HeaderFlyweight.HDR_TYPE_DATA
          || header.streamId() != ConsensusModule.Configuration.consensusStreamId()
          || header.frameLength() <= DataHeaderFlyweight.HEADER_LENGTH) {
        return NOBODY;
      }
      message.wrap(frames, at);
      if (message.schemaId() == MessageHeaderDecoder.SCHEMA_ID
          && message.templateId() == templateId) {
        return at;
      }
      offset += BitUtil.align(header.frameLength(), FrameDescriptor.FRAME_ALIGNMENT);
    }
    return NOBODY;
  }
}
