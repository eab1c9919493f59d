package io.entroq.engine.call;

import io.entroq.api.Change;
import io.entroq.api.EntroQException;
import io.entroq.api.Insert;
import io.entroq.api.Modification;
import io.entroq.api.ModifyResult;
import io.entroq.api.Policies;
import io.entroq.api.Task;
import io.entroq.api.TaskId;
import io.entroq.api.TaskRef;
import io.entroq.api.Value;
import io.entroq.codec.result.CopyRuns;
import io.entroq.codec.result.ItemKinds;
import io.entroq.codec.result.ResultCodes;
import io.entroq.codec.result.TaskDecoder;
import io.entroq.codec.wire.Limits;
import io.entroq.engine.gateway.GatewayLimits;
import io.entroq.engine.request.Lane;
import io.entroq.engine.request.RequestKind;
import io.entroq.engine.request.RequestSlot;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.agrona.MutableDirectBuffer;

/** Inserts, changes, deletes and depends atomically. */
public final class ModifyRequest extends ApiRequest<ModifyResult> {
  /** Why a request is refused that needs a higher behavior level than the log has. */
  public static final String LEVEL_TOO_LOW =
      "modify: failures, policies, pauses, expiry and traces need behavior level 8, pools and topics"
          + " level 9, taking tasks back level 11; raise the level of the log";

  private static final int ID_BYTES_LEAST = Long.BYTES;

  private final Modification modification;
  private final List<TaskId> insertIds;
  private final String claimant;
  private final long queueTasksMax;
  private final int policiesMax;
  private final DocResults docs;

  /**
   * @param modification each doc to insert has an id
   * @param insertIds the id of each insert, generated where the caller gave none
   * @param claimant used if the modification names none
   * @param queueTasksMax how many tasks a queue may have; 0 for no limit
   */
  public ModifyRequest(
      Modification modification, List<TaskId> insertIds, String claimant, long queueTasksMax) {
    this(modification, insertIds, claimant, queueTasksMax, Limits.POLICIES_MAX_DEFAULT);
  }

  /**
   * @param limits for this modification
   */
  public ModifyRequest(
      Modification modification, List<TaskId> insertIds, String claimant, GatewayLimits limits) {
    this(modification, insertIds, claimant, limits.queueTasksMax(), limits.policiesMax());
  }

  private ModifyRequest(
      Modification modification,
      List<TaskId> insertIds,
      String claimant,
      long queueTasksMax,
      int policiesMax) {
    super(RequestKind.MODIFY);
    this.modification = modification;
    this.insertIds = insertIds;
    this.claimant = modification.claimant().isEmpty() ? claimant : modification.claimant();
    this.queueTasksMax = queueTasksMax;
    this.policiesMax = policiesMax;
    this.docs = new DocResults(modification.docs());
  }

  @Override
  public long bytesAtLeast() {
    long bytes = atLeast(modification.deletes()) + atLeast(modification.depends());
    for (Insert insert : modification.inserts()) {
      bytes += atLeast(insert.queue(), insert.value(), insert.err());
    }
    for (Change change : modification.changes()) {
      bytes += atLeast(change.queue(), change.value(), change.err());
    }
    for (Modification.Fail fail : modification.fails()) {
      bytes += ID_BYTES_LEAST + fail.err().length();
    }
    return bytes + docs.bytesAtLeast() + PolicyWriter.bytesAtLeast(modification.policies());
  }

  private static long atLeast(List<TaskRef> tasks) {
    long bytes = 0;
    for (TaskRef task : tasks) {
      bytes += ID_BYTES_LEAST + task.queue().length();
    }
    return bytes;
  }

  private static long atLeast(String queue, Value value, String err) {
    return (long) ID_BYTES_LEAST + queue.length() + value.size() + err.length();
  }

  @Override
  public int encode(RequestSlot slot) {
    return encode(CallCodec.encoder(slot), slot.command(), null);
  }

  /** Encodes the request to the start of a buffer; {@code lane} may be null. */
  public int encode(RequestEncoder encoder, MutableDirectBuffer buffer, Lane lane) {
    return encoder.modify(
        buffer, modification, insertIds, claimant, lane, queueTasksMax, policiesMax);
  }

  @Override
  public ModifyResult outcomeUnknown(Throwable cause) {
    return new ModifyResult.OutcomeUnknown(RequestFailures.describe(cause));
  }

  @Override
  public ModifyResult answer(ReplyReader reply) {
    return switch (reply.code()) {
      case ResultCodes.OK ->
          new ModifyResult.Committed(
              inserted(reply),
              changed(reply),
              reply.claimed(),
              docs.inserted(reply),
              docs.changed(reply),
              docs.changedSets(reply),
              reply.failed(),
              reply.policies());
      case ResultCodes.DEPENDENCY -> failure(reply);
      case ResultCodes.QUEUE_FULL -> throw queueFull(reply);
      case ResultCodes.NEVER_FITS -> throw neverFits(reply);
      case ResultCodes.QUEUE_BYTES_FULL -> throw policyFull(reply, "bytes of tasks");
      case ResultCodes.TOO_MANY_POLICIES ->
          throw new EntroQException.ResourceExhausted(
              reply.item()
                  + ": there are as many policies, or limiters, as policiesMax allows. Nothing was"
                  + " done. Delete some, or open with a larger policiesMax");
      case ResultCodes.POLICY_CIRCLE ->
          throw new EntroQException.InvalidArgument(
              reply.item() + ": with it, dead queues would lead in a circle");
      case ResultCodes.POOL_TOO_DEEP ->
          throw new EntroQException.InvalidArgument(
              reply.item() + ": with it, pools would be nested deeper than three levels");
      case ResultCodes.LEVEL_TOO_LOW -> throw new EntroQException.InvalidArgument(LEVEL_TOO_LOW);
      default -> throw refused(reply);
    };
  }

  private EntroQException queueFull(ReplyReader reply) {
    if (reply.queueTasksMax() != queueTasksMax) {
      return policyFull(reply, "tasks");
    }
    return new EntroQException.ResourceExhausted(
        ("queue %s has %,d tasks and would have more than the %,d that queueTasksMax allows."
                + " Nothing was done. Try again when some of its tasks are done, delete or move"
                + " some, or open with a larger queueTasksMax")
            .formatted(queue(reply), reply.queueTasks(), reply.queueTasksMax()),
        Optional.of(queue(reply)));
  }

  private EntroQException policyFull(ReplyReader reply, String what) {
    return new EntroQException.ResourceExhausted(
        ("queue %s has %,d %s and would have more than the %,d that its policy allows. Nothing was"
                + " done. Try again when some of its tasks are done")
            .formatted(queue(reply), reply.queueTasks(), what, reply.queueTasksMax()),
        Optional.of(queue(reply)));
  }

  private EntroQException neverFits(ReplyReader reply) {
    if (reply.queueTasksMax() != queueTasksMax) {
      return new EntroQException.InvalidArgument(
          ("queue %s would have %,d tasks of this modification alone, or the groups of that topic so"
                  + " many copies, more than the %,d that its policy allows, or that one modification"
                  + " may copy. Nothing was done, and trying again is of no use. Split the"
                  + " modification")
              .formatted(queue(reply), reply.queueTasks(), reply.queueTasksMax()),
          Optional.of(queue(reply)));
    }
    return new EntroQException.InvalidArgument(
        ("queue %s would have %,d tasks of this modification alone, inserted, moved or changed there"
                + " or depended on, more than the %,d that queueTasksMax allows. Nothing was done,"
                + " and trying again is of no use. Split the modification, or open with a larger"
                + " queueTasksMax")
            .formatted(queue(reply), reply.queueTasks(), reply.queueTasksMax()),
        Optional.of(queue(reply)));
  }

  private String queue(ReplyReader reply) {
    return reply.itemKind() == ItemKinds.INSERT
        ? modification.inserts().get(reply.itemIndex()).queue()
        : modification.changes().get(reply.itemIndex()).queue();
  }

  private List<Task> inserted(ReplyReader reply) {
    List<Insert> inserts = modification.inserts();
    List<Task> tasks = new ArrayList<>(inserts.size());
    int at = 0;
    for (int i = 0; i < inserts.size(); i++) {
      Insert sent = inserts.get(i);
      int end = CopyRuns.end(reply.result(), at);
      for (; at < end; at++) {
        TaskDecoder task = reply.inserted(at);
        tasks.add(
            CopyRuns.isCopy(task)
                ? reply.copy(task, sent.value(), sent.attempt(), sent.err())
                : reply.task(
                    task,
                    insertIds.get(i),
                    sent.queue(),
                    sent.value(),
                    sent.attempt(),
                    sent.err()));
      }
    }
    return tasks;
  }

  private List<Task> changed(ReplyReader reply) {
    List<Change> changes = modification.changes();
    List<Task> tasks = new ArrayList<>(changes.size());
    for (int i = 0; i < changes.size(); i++) {
      Change sent = changes.get(i);
      TaskDecoder task = reply.changed(i);
      tasks.add(
          // After a lease change, and where a policy decided what became of the task.
          task.queueLength() > 0
              ? reply.whole(task)
              : reply.task(
                  task, sent.task().id(), sent.queue(), sent.value(), sent.attempt(), sent.err()));
    }
    return tasks;
  }

  private ModifyResult failure(ReplyReader reply) {
    List<TaskRef> collisions = new ArrayList<>();
    List<TaskRef> changes = new ArrayList<>();
    List<TaskRef> deletes = new ArrayList<>();
    List<TaskRef> depends = new ArrayList<>();
    List<TaskRef> claims = new ArrayList<>();
    List<TaskRef> fails = new ArrayList<>();
    List<Policies.Target> policies = new ArrayList<>();
    for (int i = 0; i < reply.failureCount(); i++) {
      int index = reply.failureIndex(i);
      boolean isClaimed = reply.isFailureClaimed(i);
      switch (reply.failureKind(i)) {
        case ItemKinds.INSERT -> collisions.add(reply.existing(i, insertIds.get(index)));
        case ItemKinds.CHANGE ->
            (isClaimed ? claims : changes).add(modification.changes().get(index).task());
        case ItemKinds.DELETE ->
            (isClaimed ? claims : deletes).add(modification.deletes().get(index));
        case ItemKinds.DEPEND -> depends.add(modification.depends().get(index));
        case ItemKinds.FAIL ->
            (isClaimed ? claims : fails).add(modification.fails().get(index).task());
        case ItemKinds.POLICY_PUT ->
            policies.add(PolicyWriter.puts(modification.policies()).toList().get(index).target());
        case ItemKinds.POLICY_DELETE ->
            policies.add(
                PolicyWriter.deletes(modification.policies()).toList().get(index).target());
        default -> {
          // Docs follow below.
        }
      }
    }
    return new ModifyResult.DependencyFailure(
        collisions, changes, deletes, depends, claims, docs.failures(reply), fails, policies);
  }
}
