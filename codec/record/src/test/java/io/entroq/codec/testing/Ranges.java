package io.entroq.codec.testing;

import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import io.entroq.codec.wire.log.Acknowledge;
import io.entroq.codec.wire.log.Attributes;
import io.entroq.codec.wire.log.CallersGone;
import io.entroq.codec.wire.log.Cancel;
import io.entroq.codec.wire.log.Change;
import io.entroq.codec.wire.log.ChangeMode;
import io.entroq.codec.wire.log.Claim;
import io.entroq.codec.wire.log.ClaimDocs;
import io.entroq.codec.wire.log.Cut;
import io.entroq.codec.wire.log.DeadReason;
import io.entroq.codec.wire.log.Doc;
import io.entroq.codec.wire.log.DocData;
import io.entroq.codec.wire.log.DocRef;
import io.entroq.codec.wire.log.Facade;
import io.entroq.codec.wire.log.Fail;
import io.entroq.codec.wire.log.Failure;
import io.entroq.codec.wire.log.Genesis;
import io.entroq.codec.wire.log.Id;
import io.entroq.codec.wire.log.Identity;
import io.entroq.codec.wire.log.Insert;
import io.entroq.codec.wire.log.ItemKind;
import io.entroq.codec.wire.log.ListDocs;
import io.entroq.codec.wire.log.ListNamespaces;
import io.entroq.codec.wire.log.ListPolicies;
import io.entroq.codec.wire.log.ListQueues;
import io.entroq.codec.wire.log.ListTasks;
import io.entroq.codec.wire.log.Modify;
import io.entroq.codec.wire.log.Order;
import io.entroq.codec.wire.log.Overflow;
import io.entroq.codec.wire.log.Policy;
import io.entroq.codec.wire.log.PolicyKind;
import io.entroq.codec.wire.log.PolicyState;
import io.entroq.codec.wire.log.QueueStats;
import io.entroq.codec.wire.log.RaiseLevel;
import io.entroq.codec.wire.log.Result;
import io.entroq.codec.wire.log.ResultCode;
import io.entroq.codec.wire.log.Task;
import io.entroq.codec.wire.log.TaskData;
import io.entroq.codec.wire.log.TaskPosition;
import io.entroq.codec.wire.log.TaskRef;
import io.entroq.codec.wire.log.Tick;
import io.entroq.codec.wire.log.ValueKind;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;

/** The ranges that the comments of the schema state, said a second time over generated classes. */
final class Ranges {
  private Ranges() {}

  static boolean isValid(Message message) {
    if (message instanceof Claim claim) {
      return request(claim.hasIdentity(), claim.getIdentity())
          && facade(claim.getFacade())
          && id(claim.getClaimant())
          && claimBody(claim)
          && (claim.hasIdentity() || !claim.getWait());
    } else if (message instanceof Modify modify) {
      return modify(modify);
    } else if (message instanceof ClaimDocs claim) {
      return request(claim.hasIdentity(), claim.getIdentity())
          && facade(claim.getFacade())
          && id(claim.getClaimant())
          && claim.getSetsCount() >= 1
          && claim.getSetsCount() <= 1000
          && claim.getSetsList().stream()
              .allMatch(set -> text(1, set.getNamespace()) && text(1, set.getKey()))
          && claim.getLeaseMs() >= 0
          && (!claim.hasTask() || (taskRef(claim.getTask()) && claim.getLeaseMs() == 0));
    } else if (message instanceof Cancel cancel) {
      return client(cancel.getIdentity()) && number(cancel.getIdentity());
    } else if (message instanceof CallersGone gone) {
      return (!gone.getAll() || gone.getClientsCount() == 0)
          && gone.getClientsList().stream()
              .allMatch(client -> client(client) && positive(client.getNumber()));
    } else if (message instanceof Acknowledge acknowledge) {
      return acknowledge.getClientsList().stream()
              .allMatch(client -> client(client) && client.getAckedBelow() > 0)
          && acknowledge.getDeliveredList().stream()
              .allMatch(request -> client(request) && number(request));
    } else if (message instanceof Genesis genesis) {
      return genesis.getLevel() >= 1;
    } else if (message instanceof RaiseLevel raise) {
      return raise.getLevel() >= 1;
    } else if (message instanceof Cut cut) {
      return positive(cut.getAfterSequence(), cut.getOffset(), cut.getDroppedBytes())
          && text(0, cut.getSegment());
    } else if (message instanceof Result result) {
      return result(result);
    } else if (message instanceof ListTasks list) {
      return text(0, list.getQueue())
          && list.getIdsList().stream().allMatch(Ranges::id)
          && id(list.getClaimant())
          && facade(list.getFacade());
    } else if (message instanceof ListDocs list) {
      return text(0, list.getNamespace())
          && list.getIdsList().stream().allMatch(Ranges::id)
          && text(0, list.getKeyStart())
          && text(0, list.getKeyEnd())
          && text(0, list.getKeyExact());
    } else if (message instanceof ListNamespaces list) {
      return names(list.getMatchPrefixList(), list.getMatchExactList());
    } else if (message instanceof ListQueues list) {
      return names(list.getMatchPrefixList(), list.getMatchExactList());
    }
    return message instanceof Tick || isValidOfLevel8(message);
  }

  private static boolean isValidOfLevel8(Message message) {
    if (message instanceof Policy policy) {
      return policy(policy);
    } else if (message instanceof PolicyState state) {
      return state(state);
    } else if (message instanceof Attributes attributes) {
      return text(0, attributes.getOrigin()) && attributes.getReason() != DeadReason.UNRECOGNIZED;
    } else if (message instanceof ListPolicies list) {
      return list.getKind() != PolicyKind.UNRECOGNIZED && text(0, list.getPrefix());
    }
    return message instanceof TaskPosition position
        && somebody(position.getId())
        && id(position.getId())
        && text(0, position.getQueue());
  }

  private static boolean state(PolicyState state) {
    return policy(state.getPolicy());
  }

  private static boolean policy(Policy policy) {
    return policy.getKind() != PolicyKind.UNRECOGNIZED
        && text(1, policy.getName())
        && policy.getExpectedVersion() >= -1
        && rate(policy.getRateLimit(), policy.getRatePeriodMs(), policy.getRateBurst())
        && policy.getInFlightMax() >= 0
        && policy.getLimitersCount() <= 4
        && policy.getLimitersList().stream().allMatch(limiter -> text(1, limiter))
        && policy.getLimitersList().stream().distinct().count() == policy.getLimitersCount()
        && retry(policy)
        && duration(policy.getTtlMs())
        && otherQueue(policy, policy.getDeadQueue())
        && otherQueue(policy, policy.getExpiredQueue())
        && positive(policy.getTasksMax(), policy.getBytesMax())
        && policy.getOverflow() != Overflow.UNRECOGNIZED
        && policy.getOrder() != Order.UNRECOGNIZED
        && (policy.getOrder() != Order.ORDER_STRICT || policy.getInFlightMax() == 1)
        && duration(policy.getRememberIdsMs())
        && (policy.getKind() != PolicyKind.POLICY_LIMITER || isLimiter(policy));
  }

  private static boolean rate(long limit, long periodMs, long burst) {
    if (limit == 0) {
      return periodMs == 0 && burst == 0;
    }
    return limit > 0
        && limit <= 1_000_000
        && periodMs > 0
        && periodMs <= 86_400_000
        && periodMs * 1_000 >= limit
        && burst >= 0
        && burst <= 1_000_000;
  }

  private static boolean retry(Policy policy) {
    int factor = policy.getRetryFactorMilli();
    return duration(policy.getRetryBaseMs())
        && (factor == 0 || (factor >= 1_000 && factor <= 100_000))
        && duration(policy.getRetryMaxMs())
        && policy.getRetryJitterMilli() >= 0
        && policy.getRetryJitterMilli() <= 1_000
        && policy.getAttemptsMax() >= 0
        && policy.getLapsesMax() >= 0
        && policy.getBreakerFailures() >= 0
        && duration(policy.getBreakerPauseMs())
        && (policy.getBreakerFailures() == 0) == (policy.getBreakerPauseMs() == 0);
  }

  private static boolean duration(long millis) {
    return millis >= 0 && millis <= 366L * 86_400_000;
  }

  private static boolean otherQueue(Policy policy, String queue) {
    return text(0, queue)
        && (policy.getKind() != PolicyKind.POLICY_QUEUE || !queue.equals(policy.getName()));
  }

  private static boolean isLimiter(Policy policy) {
    Policy limiter =
        Policy.newBuilder()
            .setKind(PolicyKind.POLICY_LIMITER)
            .setName(policy.getName())
            .setExpectedVersion(policy.getExpectedVersion())
            .setRateLimit(policy.getRateLimit())
            .setRatePeriodMs(policy.getRatePeriodMs())
            .setRateBurst(policy.getRateBurst())
            .setInFlightMax(policy.getInFlightMax())
            .build();
    return policy.toBuilder().setUnknownFields(limiter.getUnknownFields()).build().equals(limiter);
  }

  private static boolean fail(Fail fail) {
    return somebody(fail.getId())
        && id(fail.getId())
        && fail.getVersion() >= 0
        && text(0, fail.getQueue())
        && fail.getDelayMs() >= 0;
  }

  private static boolean names(List<String> prefixes, List<String> exacts) {
    return Stream.of(prefixes, exacts).flatMap(List::stream).allMatch(name -> text(0, name));
  }

  private static boolean claimBody(Claim claim) {
    return claim.getQueuesCount() > 0
        && claim.getQueuesList().stream().allMatch(queue -> text(1, queue))
        && claim.getLeaseMs() >= 0
        && claim.getDeadlineMs() >= 0
        && claim.getLimit() >= 0
        && claim.getLimit() <= 1000;
  }

  private static boolean modify(Modify modify) {
    Claim then = modify.getThenClaim();
    boolean isThenValid =
        !modify.hasThenClaim()
            || (claimBody(then)
                && !then.hasIdentity()
                && then.getFacade() == Facade.FACADE_V1
                && id(then.getClaimant())
                && !somebody(then.getClaimant())
                && then.getDeadlineMs() == 0
                && !then.getWait());
    return request(modify.hasIdentity(), modify.getIdentity())
        && facade(modify.getFacade())
        && id(modify.getClaimant())
        && modify.getInsertsList().stream().allMatch(Ranges::insert)
        && modify.getChangesList().stream().allMatch(Ranges::change)
        && modify.getDeletesList().stream().allMatch(Ranges::taskRef)
        && modify.getDependsList().stream().allMatch(Ranges::taskRef)
        && modify.getDocInsertsList().stream().allMatch(Ranges::docInsert)
        && modify.getDocChangesList().stream().allMatch(Ranges::docChange)
        && modify.getDocDeletesList().stream().allMatch(Ranges::docDelete)
        && modify.getDocDependsList().stream().allMatch(Ranges::docRef)
        && positive(modify.getQueueTasksMax())
        && modify.getPolicyPutsList().stream().allMatch(Ranges::policy)
        && modify.getPolicyDeletesList().stream()
            .allMatch(
                ref ->
                    ref.getKind() != PolicyKind.UNRECOGNIZED
                        && text(1, ref.getName())
                        && ref.getExpectedVersion() >= 0)
        && modify.getPausesList().stream()
            .allMatch(
                pause ->
                    pause.getKind() != PolicyKind.UNRECOGNIZED
                        && text(1, pause.getName())
                        && pause.getPauseMs() >= -1)
        && modify.getFailsList().stream().allMatch(Ranges::fail)
        && isThenValid;
  }

  private static boolean insert(Insert insert) {
    return somebody(insert.getId()) && id(insert.getId()) && taskData(insert.getData());
  }

  private static boolean change(Change change) {
    return somebody(change.getId())
        && id(change.getId())
        && change.getVersion() >= 0
        && taskData(change.getData())
        && change.getMode() != ChangeMode.UNRECOGNIZED
        && text(0, change.getFromQueue())
        && switch (change.getMode()) {
          case CHANGE_LEASE -> lease(change);
          case CHANGE_TAKE_BACK ->
              lease(change)
                  && change.getData().getByMs() == 0
                  && change.getData().getArrivalMs() <= 0;
          default -> true;
        };
  }

  private static boolean lease(Change change) {
    TaskData data = change.getData();
    return !change.getFromQueue().isEmpty()
        && data.getValueKind() == ValueKind.VALUE_ABSENT
        && data.getAttempt() == 0
        && data.getErr().isEmpty()
        && data.getTtlMs() == 0
        && data.getTrace().isEmpty();
  }

  private static boolean taskRef(TaskRef ref) {
    return somebody(ref.getId())
        && id(ref.getId())
        && ref.getVersion() >= 0
        && text(0, ref.getQueue());
  }

  private static boolean docInsert(DocData doc) {
    return docData(doc)
        && somebody(doc.getId())
        && doc.getVersion() == 0
        && doc.getMode() == ChangeMode.CHANGE_DEFAULT;
  }

  private static boolean docChange(DocData doc) {
    boolean isLease =
        !somebody(doc.getId())
            && !doc.getKey().isEmpty()
            && doc.getSecondaryKey().isEmpty()
            && doc.getValueKind() == ValueKind.VALUE_ABSENT;
    return docData(doc)
        && switch (doc.getMode()) {
          case CHANGE_DEFAULT -> somebody(doc.getId());
          case CHANGE_LEASE -> isLease;
          default -> false;
        };
  }

  private static boolean docDelete(DocRef doc) {
    return docRef(doc) && somebody(doc.getId());
  }

  private static boolean docData(DocData doc) {
    return text(1, doc.getNamespace())
        && id(doc.getId())
        && doc.getVersion() >= 0
        && text(0, doc.getKey())
        && text(0, doc.getSecondaryKey())
        && value(doc.getValueKind(), doc.getValue().size());
  }

  private static boolean docRef(DocRef doc) {
    return text(1, doc.getNamespace())
        && somebody(doc.getId()) == doc.getKey().isEmpty()
        && id(doc.getId())
        && text(0, doc.getKey())
        && doc.getVersion() >= 0;
  }

  private static boolean taskData(TaskData data) {
    return text(1, data.getQueue())
        && value(data.getValueKind(), data.getValue().size())
        && data.getTtlMs() >= -1
        && trace(data.getTrace());
  }

  private static boolean trace(ByteString trace) {
    return trace.size() <= 64;
  }

  private static boolean value(ValueKind kind, int bytes) {
    return kind != ValueKind.UNRECOGNIZED && (kind != ValueKind.VALUE_ABSENT || bytes == 0);
  }

  private static boolean result(Result result) {
    return result.getCode() != ResultCode.UNRECOGNIZED
        && positive(result.getSequence(), result.getQueueTasks(), result.getQueueTasksMax())
        && Stream.of(
                result.getClaimedList(),
                result.getInsertedList(),
                result.getChangedList(),
                result.getTasksList(),
                result.getFailedList())
            .flatMap(List::stream)
            .allMatch(Ranges::task)
        && result.getPoliciesList().stream().allMatch(Ranges::state)
        && result.getPosition() >= -1
        && result.getFailuresList().stream().allMatch(Ranges::failure)
        && result.getItem().getItemKind() != ItemKind.UNRECOGNIZED
        && result.getQueuesList().stream().allMatch(Ranges::queueStats)
        && result.getDocsList().stream().allMatch(Ranges::doc)
        && result.getSetsList().stream().allMatch(Ranges::doc)
        && result.getNamespacesList().stream()
            .allMatch(
                namespace ->
                    text(0, namespace.getName())
                        && positive(namespace.getDocs(), namespace.getClaimed()));
  }

  private static boolean task(Task task) {
    return somebody(task.getId())
        && id(task.getId())
        && id(task.getClaimant())
        && text(0, task.getQueue())
        && text(0, task.getOrigin())
        && task.getReason() != DeadReason.UNRECOGNIZED
        && trace(task.getTrace())
        && value(task.getValueKind(), task.getValue().size());
  }

  private static boolean doc(Doc doc) {
    return text(0, doc.getNamespace())
        && id(doc.getId())
        && id(doc.getClaimant())
        && text(0, doc.getKey())
        && text(0, doc.getSecondaryKey())
        && value(doc.getValueKind(), doc.getValue().size());
  }

  private static boolean failure(Failure failure) {
    return failure.getItemKind() != ItemKind.UNRECOGNIZED
        && text(0, failure.getExistingName())
        && id(failure.getExistingId());
  }

  private static boolean queueStats(QueueStats queue) {
    return text(0, queue.getName())
        && positive(
            queue.getTasks(),
            queue.getAvailable(),
            queue.getClaimed(),
            queue.getHeld(),
            queue.getFuture(),
            queue.getOldestAgeMs(),
            queue.getInFlight(),
            queue.getClaimable(),
            queue.getLapsed(),
            queue.getDead(),
            queue.getBytes());
  }

  private static boolean request(boolean isPresent, Identity identity) {
    return !isPresent || (client(identity) && number(identity) && identity.getAckedBelow() > 0);
  }

  private static boolean client(Identity identity) {
    return (identity.getClientHigh() != 0 || identity.getClientLow() != 0)
        && positive(identity.getAckedBelow());
  }

  private static boolean number(Identity identity) {
    return identity.getNumber() > 0 && identity.getAckedBelow() <= identity.getNumber();
  }

  private static boolean facade(Facade facade) {
    return facade != Facade.UNRECOGNIZED;
  }

  private static boolean somebody(Id id) {
    return id.getHigh() != 0 || id.getLow() != 0;
  }

  private static boolean id(Id id) {
    return text(0, id.getText()) && (somebody(id) || id.getText().isEmpty());
  }

  private static boolean text(int bytesMin, String text) {
    int bytes = text.getBytes(StandardCharsets.UTF_8).length;
    return bytes >= bytesMin && bytes <= 1024;
  }

  private static boolean positive(long... values) {
    for (long value : values) {
      if (value < 0) {
        return false;
      }
    }
    return true;
  }
}
