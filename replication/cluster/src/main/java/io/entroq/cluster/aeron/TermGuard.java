package io.entroq.cluster.aeron;

import io.aeron.ExclusivePublication;
import io.aeron.FragmentAssembler;
import io.aeron.cluster.ClusterMember;
import io.aeron.cluster.ConsensusModule;
import io.aeron.cluster.ElectionState;
import io.aeron.cluster.NodeStateFile;
import io.aeron.cluster.RecordingLog;
import io.aeron.cluster.client.ClusterEvent;
import io.aeron.cluster.codecs.AppendPositionDecoder;
import io.aeron.cluster.codecs.CanvassPositionDecoder;
import io.aeron.cluster.codecs.CommitPositionDecoder;
import io.aeron.cluster.codecs.MessageHeaderDecoder;
import io.aeron.cluster.codecs.MessageHeaderEncoder;
import io.aeron.cluster.codecs.NewLeadershipTermDecoder;
import io.aeron.cluster.codecs.RequestVoteDecoder;
import io.aeron.cluster.codecs.RequestVoteEncoder;
import io.aeron.cluster.codecs.VoteDecoder;
import io.aeron.logbuffer.BufferClaim;
import io.aeron.logbuffer.FragmentHandler;
import io.aeron.logbuffer.Header;
import java.lang.reflect.Field;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.Agent;

/**
 * Keeps two rules of Raft that Aeron's consensus module does not keep, and without which a
 * committed command can be lost. It reads the other members' messages before the module does.
 *
 * <ul>
 *   <li>A member that has voted in a term, or has found its leader, joins no leader of an earlier
 *       one. Nor does a member that replaces another one which may have voted there. It asks that
 *       leader for a new election instead. Otherwise the earlier leader would commit with it, while
 *       the candidate counts its vote and leads without what was committed.
 *   <li>A leader counts another member's log only as far as it is known to equal its own. A log of
 *       an earlier term may end in commands that were never committed, and its length says nothing
 *       about the leader's.
 * </ul>
 *
 * <p>Members of builds without it may be in the same cluster. For the consensus module's thread.
 */
public final class TermGuard implements FragmentHandler {
  /** The states in which a vote is cast, and a leader found. */
  private static final Set<ElectionState> LOOKING =
      EnumSet.of(
          ElectionState.CANVASS,
          ElectionState.NOMINATE,
          ElectionState.CANDIDATE_BALLOT,
          ElectionState.FOLLOWER_BALLOT);

  /** A leader answers each canvass, many times a second. */
  private static final long ASK_INTERVAL_NS = TimeUnit.MILLISECONDS.toNanos(100);

  /** An older log than any, for a request that asks for no vote. */
  private static final long NO_LOG = Long.MIN_VALUE;

  private final ElectionMonitor.Election election;
  private final int memberId;
  private final Supplier<NodeStateFile> nodeState;
  private final Supplier<RecordingLog> recordingLog;
  private final LongSupplier nanoTime;
  private final Consumer<String> log;

  private final MessageHeaderDecoder message = new MessageHeaderDecoder();
  private final NewLeadershipTermDecoder newTerm = new NewLeadershipTermDecoder();
  private final CommitPositionDecoder commit = new CommitPositionDecoder();
  private final RequestVoteDecoder request = new RequestVoteDecoder();
  private final VoteDecoder vote = new VoteDecoder();
  private final CanvassPositionDecoder canvass = new CanvassPositionDecoder();
  private final AppendPositionDecoder append = new AppendPositionDecoder();
  private final MessageHeaderEncoder headerOut = new MessageHeaderEncoder();
  private final RequestVoteEncoder requestOut = new RequestVoteEncoder();
  private final BufferClaim claim = new BufferClaim();

  private FragmentHandler module;
  private ClusterMember[] members = {};
  private boolean wasLeading;
  private long refusedTerm = NO_LOG;
  private long askedNs;

  /**
   * @param nodeState where this member's votes are kept; read once the module runs, like the next
   * @param recordingLog the terms of this member's log
   * @param nanoTime the time source, like {@link System#nanoTime}
   * @param log receives the messages
   */
  public TermGuard(
      ElectionMonitor.Election election,
      int memberId,
      Supplier<NodeStateFile> nodeState,
      Supplier<RecordingLog> recordingLog,
      LongSupplier nanoTime,
      Consumer<String> log) {
    this.election = election;
    this.memberId = memberId;
    this.nodeState = nodeState;
    this.recordingLog = recordingLog;
    this.nanoTime = nanoTime;
    this.log = log;
    askedNs = nanoTime.getAsLong() - ASK_INTERVAL_NS;
  }

  /**
   * Places itself before a consensus module, which has no setting for that. Before the module's
   * thread starts.
   *
   * @param agent the module
   * @throws IllegalStateException if the module is not as in the version of Aeron that this was
   *     written for, or the Java runtime does not allow the access
   */
  public void guard(Agent agent) {
    try {
      FragmentHandler adapter = (FragmentHandler) field(agent, "consensusAdapter").get(agent);
      ClusterMember[] all = (ClusterMember[]) field(agent, "activeMembers").get(agent);
      field(adapter, "fragmentAssembler").set(adapter, new FragmentAssembler(this));
      guard(adapter, all);
    } catch (ReflectiveOperationException | RuntimeException e) {
      throw new IllegalStateException(
          ("Aeron Cluster cannot be guarded against the loss of committed commands: %s. Use the version"
                  + " of Aeron that this library depends on, and a version of Java that lets it in")
              .formatted(e),
          e);
    }
  }

  private static Field field(Object object, String name) throws NoSuchFieldException {
    Field field = object.getClass().getDeclaredField(name);
    field.setAccessible(true);
    return field;
  }

  void guard(FragmentHandler handler, ClusterMember[] all) {
    module = handler;
    members = all;
  }

  @Override
  public void onFragment(DirectBuffer buffer, int offset, int length, Header header) {
    message.wrap(buffer, offset);
    // The module refuses what is not of its schema.
    int type = message.schemaId() == MessageHeaderDecoder.SCHEMA_ID ? message.templateId() : -1;
    int body = offset + MessageHeaderDecoder.ENCODED_LENGTH;
    if (type == NewLeadershipTermDecoder.TEMPLATE_ID) {
      newTerm.wrap(buffer, body, message.blockLength(), message.version());
      if (!mayJoin(newTerm.leadershipTermId(), newTerm.leaderMemberId())) {
        return;
      }
    } else if (type == CommitPositionDecoder.TEMPLATE_ID) {
      commit.wrap(buffer, body, message.blockLength(), message.version());
      // It would put off the election for which the refused leader is asked.
      if (isLooking() && commit.leadershipTermId() < promisedTerm()) {
        return;
      }
    }
    module.onFragment(buffer, offset, length, header);
    switch (type) {
      case RequestVoteDecoder.TEMPLATE_ID -> {
        request.wrap(buffer, body, message.blockLength(), message.version());
        stepDown(request.candidateTermId(), request.candidateMemberId());
      }
      case CanvassPositionDecoder.TEMPLATE_ID -> {
        canvass.wrap(buffer, body, message.blockLength(), message.version());
        bound(canvass.followerMemberId());
      }
      case VoteDecoder.TEMPLATE_ID -> {
        vote.wrap(buffer, body, message.blockLength(), message.version());
        bound(vote.followerMemberId());
      }
      case AppendPositionDecoder.TEMPLATE_ID -> {
        append.wrap(buffer, body, message.blockLength(), message.version());
        bound(append.followerMemberId());
      }
      default -> {}
    }
  }

  /** Called in each {@link ConsensusCycle}. A new leader forgets what it knew as a candidate. */
  void onCycle() {
    boolean isLeading = election.isLeader();
    if (isLeading && !wasLeading) {
      for (ClusterMember member : members) {
        bound(member);
      }
    }
    wasLeading = isLeading;
  }

  private boolean isLooking() {
    return LOOKING.contains(state());
  }

  private ElectionState state() {
    return ElectionState.get(election.state());
  }

  /** The latest term in which this member has voted, may have voted, or joined a leader. */
  private long promisedTerm() {
    return Math.max(nodeState.get().candidateTerm().candidateTermId(), election.termId());
  }

  private boolean mayJoin(long termId, int leaderId) {
    if (!isLooking()) {
      return true;
    }
    long promised = promisedTerm();
    if (termId < promised) {
      refuse(termId, promised, leaderId);
      return false;
    }
    if (termId > promised && state() == ElectionState.CANVASS) {
      // Kept before anything of that term is, and so also over a restart.
      long unused =
          nodeState
              .get()
              .proposeMaxCandidateTermId(termId, newTerm.logPosition(), System.currentTimeMillis());
    }
    return true;
  }

  private void refuse(long termId, long promised, int leaderId) {
    if (termId != refusedTerm) {
      refusedTerm = termId;
      log.accept(
          "does not join member %d, the leader of term %d, because it has or may have voted in term %d; asks for a new election"
              .formatted(leaderId, termId, promised));
    }
    long nowNs = nanoTime.getAsLong();
    ClusterMember leader = member(leaderId);
    if (leader != null && nowNs - askedNs >= ASK_INTERVAL_NS) {
      askedNs = nowNs;
      ask(leader.publication(), promised);
    }
  }

  /** A request of a later term ends a leader's term. Nobody votes for a member without a log. */
  private void ask(ExclusivePublication to, long termId) {
    int length = MessageHeaderEncoder.ENCODED_LENGTH + RequestVoteEncoder.BLOCK_LENGTH;
    if (to != null && to.tryClaim(length, claim) > 0) {
      requestOut
          .wrapAndApplyHeader(claim.buffer(), claim.offset(), headerOut)
          .logLeadershipTermId(NO_LOG)
          .logPosition(0)
          .candidateTermId(termId)
          .candidateMemberId(memberId)
          .protocolVersion(ConsensusModule.Configuration.PROTOCOL_SEMANTIC_VERSION);
      claim.commit();
    }
  }

  /** A settled leader does it by itself; one that waits for its followers would wait for ever. */
  private void stepDown(long termId, int candidateId) {
    if (election.isLeader() && state() != ElectionState.CLOSED && termId > ownTerm()) {
      throw new ClusterEvent(
          "member %d has or may have voted in term %d, so term %d ends"
              .formatted(candidateId, termId, ownTerm()));
    }
  }

  /** The term of this leader, known before its first command is. */
  private long ownTerm() {
    return member(memberId).candidateTermId();
  }

  private ClusterMember member(int id) {
    for (ClusterMember member : members) {
      if (member.id() == id) {
        return member;
      }
    }
    return null;
  }

  private void bound(int id) {
    ClusterMember member = election.isLeader() ? member(id) : null;
    if (member != null) {
      bound(member);
    }
  }

  private void bound(ClusterMember member) {
    if (member.id() != memberId && member.leadershipTermId() != ownTerm()) {
      member.logPosition(Math.min(member.logPosition(), commonPosition(member.leadershipTermId())));
    }
  }

  /** How far a log whose last term is this one equals this member's at least. */
  private long commonPosition(long termId) {
    boolean isKnown = false;
    long nextTerm = Long.MAX_VALUE;
    long position = Long.MAX_VALUE;
    for (RecordingLog.Entry entry : recordingLog.get().entries()) {
      isKnown |= entry.leadershipTermId == termId;
      if (entry.type == RecordingLog.ENTRY_TYPE_TERM
          && entry.leadershipTermId > termId
          && entry.leadershipTermId < nextTerm) {
        nextTerm = entry.leadershipTermId;
        position = entry.termBaseLogPosition;
      }
    }
    return isKnown ? position : 0;
  }
}
