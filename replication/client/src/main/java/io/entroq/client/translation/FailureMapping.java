package io.entroq.client.translation;

import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import io.entroq.api.Doc;
import io.entroq.api.DocSet;
import io.entroq.api.EntroQException;
import io.entroq.api.Modification;
import io.entroq.api.ModifyResult;
import io.entroq.api.Policies;
import io.entroq.api.TaskId;
import io.entroq.api.TaskRef;
import io.entroq.client.transport.Failure;
import io.entroq.codec.wire.edge.ActionType;
import io.entroq.codec.wire.edge.AuthzDep;
import io.entroq.codec.wire.edge.FeedRange;
import io.entroq.codec.wire.edge.FullQueue;
import io.entroq.codec.wire.edge.ModifyDep;
import io.grpc.Status;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Converts failures to results and exceptions for callers. Any thread. */
public final class FailureMapping {
  /** Begins the message of a server that has forgotten a client, or has never known it. */
  private static final String CLIENT_FORGOTTEN = "client_id:";

  /** Begins the message about a number that must not be used again. */
  private static final String NUMBER_USED = "request_number:";

  /** Suffixes of detail types, whose packages differ. */
  private static final String MODIFY_DEP = ".ModifyDep";

  private static final String AUTHZ_DEP = ".AuthzDep";
  private static final String FULL_QUEUE = ".FullQueue";
  private static final String FEED_RANGE = ".FeedRange";

  private FailureMapping() {}

  /**
   * Whether a Modify or a claim of docs failed on the current state. Servers use either code;
   * without details either means something else.
   */
  public static boolean isDependency(Failure failure) {
    return (failure.code() == Status.Code.NOT_FOUND || failure.code() == Status.Code.ABORTED)
        && !details(failure, MODIFY_DEP).isEmpty();
  }

  /** Whether the server does not know the client id, and has done nothing. */
  public static boolean isForgotten(Failure failure) {
    return failure.code() == Status.Code.UNKNOWN && failure.message().startsWith(CLIENT_FORGOTTEN);
  }

  /**
   * Whether a claim must be repeated under a new number, because its tasks were lost or it ended.
   */
  public static boolean isLost(Failure failure) {
    return failure.code() == Status.Code.FAILED_PRECONDITION
        && failure.message().startsWith(NUMBER_USED);
  }

  /**
   * The exception for a failed write. A refusal says nothing about earlier attempts.
   *
   * @param maybeDone whether an earlier attempt may have taken effect
   */
  public static EntroQException exception(Failure failure, boolean maybeDone) {
    return maybeDone || failure.isOutcomeUnknown()
        ? new EntroQException.OutcomeUnknown("the reply was lost: " + failure)
        : ofRead(failure);
  }

  /** The exception for a failed request that has no effect. */
  public static EntroQException ofRead(Failure failure) {
    String message = failure.message();
    return switch (failure.code()) {
      case OUT_OF_RANGE -> outOfRange(failure);
      case INVALID_ARGUMENT, FAILED_PRECONDITION, UNIMPLEMENTED ->
          new EntroQException.InvalidArgument(message, fullQueue(failure));
      case RESOURCE_EXHAUSTED -> new EntroQException.ResourceExhausted(message, fullQueue(failure));
      case PERMISSION_DENIED, UNAUTHENTICATED ->
          new EntroQException.PermissionDenied(message + denials(failure));
      default ->
          new EntroQException.Unavailable(
              failure.isOutcomeUnknown()
                  ? "the server's answer was lost or is unusable: " + failure
                  : "the server cannot be reached: " + failure);
    };
  }

  /** Whether a server that runs cannot read its history at present. */
  public static boolean isHistoryAway(Failure failure) {
    return failure.code() == Status.Code.UNAVAILABLE && !details(failure, FEED_RANGE).isEmpty();
  }

  private static EntroQException outOfRange(Failure failure) {
    for (Any detail : details(failure, FEED_RANGE)) {
      try {
        FeedRange kept = FeedRange.parseFrom(detail.getValue());
        return new EntroQException.OutOfRange(
            failure.message(), kept.getFirstSequence(), kept.getLastSequence());
      } catch (InvalidProtocolBufferException e) {
        // As from a server that says it in its message alone.
      }
    }
    return new EntroQException.InvalidArgument(failure.message());
  }

  private static Optional<String> fullQueue(Failure failure) {
    for (Any detail : details(failure, FULL_QUEUE)) {
      try {
        return Optional.of(FullQueue.parseFrom(detail.getValue()).getQueue());
      } catch (InvalidProtocolBufferException e) {
        // As from a server that says it in its message alone.
      }
    }
    return Optional.empty();
  }

  private static String denials(Failure failure) {
    String denials =
        details(failure, AUTHZ_DEP).stream()
            .map(FailureMapping::denial)
            .filter(denial -> !denial.isEmpty())
            .collect(Collectors.joining("; "));
    return denials.isEmpty() ? "" : ": " + denials;
  }

  private static String denial(Any detail) {
    try {
      AuthzDep denied = AuthzDep.parseFrom(detail.getValue());
      if (!denied.getMsg().isEmpty()) {
        return denied.getMsg();
      }
      return denied.getExact().isEmpty()
          ? denied.getActionsList() + " on " + denied.getPrefix() + "*"
          : denied.getActionsList() + " on " + denied.getExact();
    } catch (InvalidProtocolBufferException e) {
      return "an unreadable detail";
    }
  }

  /** The dependencies that failed. */
  public static ModifyResult.DependencyFailure dependencies(Failure failure) {
    Lists lists = new Lists();
    for (Any detail : details(failure, MODIFY_DEP)) {
      try {
        lists.add(ModifyDep.parseFrom(detail.getValue()));
      } catch (InvalidProtocolBufferException | EntroQException.InvalidArgument e) {
        throw new EntroQException.Unavailable("the server's failure details are unreadable", e);
      }
    }
    return lists.failure();
  }

  /** Adds the queues that the modification names to tasks whose queues the server leaves out. */
  public static ModifyResult.DependencyFailure withQueues(
      ModifyResult.DependencyFailure failure, Modification modification) {
    Map<TaskId, TaskRef> named = new HashMap<>();
    modification.changes().forEach(change -> named.put(change.task().id(), change.task()));
    modification.deletes().forEach(task -> named.put(task.id(), task));
    modification.depends().forEach(task -> named.put(task.id(), task));
    Set<TaskId> failed = new HashSet<>();
    modification.fails().forEach(fail -> failed.add(fail.task().id()));
    modification.fails().forEach(fail -> named.put(fail.task().id(), fail.task()));
    // On the wire, a fail is a change.
    Map<Boolean, List<TaskRef>> changes =
        withQueues(failure.changes(), named).stream()
            .collect(Collectors.partitioningBy(task -> failed.contains(task.id())));
    return new ModifyResult.DependencyFailure(
        failure.collisions(),
        changes.get(false),
        withQueues(failure.deletes(), named),
        withQueues(failure.depends(), named),
        withQueues(failure.claims(), named),
        failure.docs(),
        changes.get(true),
        failure.policies());
  }

  private static List<TaskRef> withQueues(List<TaskRef> tasks, Map<TaskId, TaskRef> named) {
    return tasks.stream()
        .map(task -> task.queue().isEmpty() ? named.getOrDefault(task.id(), task) : task)
        .toList();
  }

  private static List<Any> details(Failure failure, String type) {
    return failure.details().stream().filter(detail -> detail.getTypeUrl().endsWith(type)).toList();
  }

  /** Groups failed dependencies by action. */
  private static final class Lists {
    private final List<TaskRef> collisions = new ArrayList<>();
    private final List<TaskRef> changes = new ArrayList<>();
    private final List<TaskRef> deletes = new ArrayList<>();
    private final List<TaskRef> depends = new ArrayList<>();
    private final List<TaskRef> claims = new ArrayList<>();
    private final List<Policies.Target> policies = new ArrayList<>();
    private final List<Doc.Id> docCollisions = new ArrayList<>();
    private final List<Doc.Ref> docChanges = new ArrayList<>();
    private final List<Doc.Ref> docDeletes = new ArrayList<>();
    private final List<Doc.Ref> docDepends = new ArrayList<>();
    private final List<Doc.Ref> docClaims = new ArrayList<>();
    private final List<DocSet.Ref> setChanges = new ArrayList<>();
    private final List<DocSet.Ref> setDepends = new ArrayList<>();
    private final List<DocSet.Ref> setClaims = new ArrayList<>();

    void add(ModifyDep reason) {
      if (reason.hasDocId() && WireDocs.isSet(reason.getDocId())) {
        addSet(reason.getType(), WireDocs.setRef(reason.getDocId()));
      } else if (reason.hasDocId()) {
        addDoc(reason.getType(), WireDocs.ref(reason.getDocId()));
      } else if (reason.hasPolicy()) {
        policies.add(
            WirePolicies.target(reason.getPolicy().getKind(), reason.getPolicy().getName()));
      } else if (reason.hasId()) {
        addTask(reason.getType(), WireTasks.ref(reason.getId()));
      }
    }

    private void addTask(ActionType type, TaskRef task) {
      switch (type) {
        case INSERT -> collisions.add(task);
        case CHANGE -> changes.add(task);
        case DELETE -> deletes.add(task);
        case DEPEND -> depends.add(task);
        case CLAIM -> claims.add(task);
        default -> {}
      }
    }

    private void addDoc(ActionType type, Doc.Ref doc) {
      switch (type) {
        case INSERT -> docCollisions.add(doc.id());
        case CHANGE -> docChanges.add(doc);
        case DELETE -> docDeletes.add(doc);
        case DEPEND -> docDepends.add(doc);
        case CLAIM -> docClaims.add(doc);
        default -> {}
      }
    }

    private void addSet(ActionType type, DocSet.Ref set) {
      switch (type) {
        case CHANGE -> setChanges.add(set);
        case DEPEND -> setDepends.add(set);
        case CLAIM -> setClaims.add(set);
        default -> {}
      }
    }

    ModifyResult.DependencyFailure failure() {
      return new ModifyResult.DependencyFailure(
          collisions,
          changes,
          deletes,
          depends,
          claims,
          new ModifyResult.DocFailures(
              docCollisions,
              docChanges,
              docDeletes,
              docDepends,
              docClaims,
              setChanges,
              setDepends,
              setClaims),
          List.of(),
          policies);
    }
  }
}
