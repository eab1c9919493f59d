package io.entroq.client;

import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import io.entroq.api.DocFailures;
import io.entroq.api.DocId;
import io.entroq.api.DocRef;
import io.entroq.api.EntroQException;
import io.entroq.api.ModifyResult;
import io.entroq.api.TaskRef;
import io.entroq.client.transport.Failure;
import io.entroq.codec.wire.edge.ActionType;
import io.entroq.codec.wire.edge.AuthzDep;
import io.entroq.codec.wire.edge.ModifyDep;
import io.grpc.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Makes what callers are told out of failures. Any thread. */
final class FailureMapping {
  /** How a server begins to say that it has forgotten a client, or never known it. */
  private static final String CLIENT_FORGOTTEN = "client_id:";

  /** How the types of details end, in the v0 and in the v1 API. */
  private static final String MODIFY_DEP = ".ModifyDep";

  private static final String AUTHZ_DEP = ".AuthzDep";

  private FailureMapping() {}

  /** Whether a Modify or a claim of docs did not fit the state. */
  static boolean isDependency(Failure failure) {
    return failure.code() == Status.Code.NOT_FOUND;
  }

  /** Whether the server knows nothing of the client, and has done nothing now. */
  static boolean isForgotten(Failure failure) {
    return failure.code() == Status.Code.UNKNOWN && failure.message().startsWith(CLIENT_FORGOTTEN);
  }

  /** Whether a claim is to be asked for under another number: what it had is lost, or it ended. */
  static boolean isAborted(Failure failure) {
    return failure.code() == Status.Code.ABORTED;
  }

  /**
   * What is thrown for the failure of a request that may change something. A refusal says nothing
   * of what became of it at the times before.
   *
   * @param maybeDone whether the server may have done it at one of the times before the last
   */
  static EntroQException exception(Failure failure, boolean maybeDone) {
    return maybeDone || failure.isOutcomeUnknown()
        ? new EntroQException.OutcomeUnknown("the reply was lost: " + failure)
        : ofRead(failure);
  }

  /** What is thrown for the failure of a request that has changed nothing. */
  static EntroQException ofRead(Failure failure) {
    String message = failure.message();
    return switch (failure.code()) {
      case INVALID_ARGUMENT, FAILED_PRECONDITION, OUT_OF_RANGE, UNIMPLEMENTED ->
          new EntroQException.InvalidArgument(message);
      case RESOURCE_EXHAUSTED -> new EntroQException.ResourceExhausted(message);
      case PERMISSION_DENIED, UNAUTHENTICATED ->
          new EntroQException.PermissionDenied(message + denials(failure));
      default ->
          new EntroQException.Unavailable(
              failure.isOutcomeUnknown()
                  ? "there is no answer that is of use: " + failure
                  : "the server cannot be asked: " + failure);
    };
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
      return "a detail that cannot be read";
    }
  }

  /** What of a Modify did not fit. */
  static ModifyResult.DependencyFailure dependencies(Failure failure) {
    Lists lists = new Lists();
    for (Any detail : details(failure, MODIFY_DEP)) {
      try {
        lists.add(ModifyDep.parseFrom(detail.getValue()));
      } catch (InvalidProtocolBufferException | EntroQException.InvalidArgument e) {
        throw new EntroQException.Unavailable("the server's reasons cannot be read", e);
      }
    }
    return lists.failure();
  }

  private static List<Any> details(Failure failure, String type) {
    return failure.details().stream().filter(detail -> detail.getTypeUrl().endsWith(type)).toList();
  }

  /** Sorts the reasons by what was to be done. */
  private static final class Lists {
    private final List<TaskRef> collisions = new ArrayList<>();
    private final List<TaskRef> changes = new ArrayList<>();
    private final List<TaskRef> deletes = new ArrayList<>();
    private final List<TaskRef> depends = new ArrayList<>();
    private final List<TaskRef> claims = new ArrayList<>();
    private final List<DocId> docCollisions = new ArrayList<>();
    private final List<DocRef> docChanges = new ArrayList<>();
    private final List<DocRef> docDeletes = new ArrayList<>();
    private final List<DocRef> docDepends = new ArrayList<>();
    private final List<DocRef> docClaims = new ArrayList<>();

    void add(ModifyDep reason) {
      if (reason.hasDocId()) {
        addDoc(reason.getType(), WireDocs.ref(reason.getDocId()));
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

    private void addDoc(ActionType type, DocRef doc) {
      switch (type) {
        case INSERT -> docCollisions.add(doc.id());
        case CHANGE -> docChanges.add(doc);
        case DELETE -> docDeletes.add(doc);
        case DEPEND -> docDepends.add(doc);
        case CLAIM -> docClaims.add(doc);
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
          new DocFailures(docCollisions, docChanges, docDeletes, docDepends, docClaims));
    }
  }
}
