package io.entroq.simulator.text;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import io.entroq.codec.record.RecordType;
import io.entroq.codec.wire.log.Acknowledge;
import io.entroq.codec.wire.log.CallersGone;
import io.entroq.codec.wire.log.Cancel;
import io.entroq.codec.wire.log.Change;
import io.entroq.codec.wire.log.ChangeMode;
import io.entroq.codec.wire.log.Claim;
import io.entroq.codec.wire.log.ClaimDocs;
import io.entroq.codec.wire.log.DocData;
import io.entroq.codec.wire.log.DocRef;
import io.entroq.codec.wire.log.DocSet;
import io.entroq.codec.wire.log.Facade;
import io.entroq.codec.wire.log.Fail;
import io.entroq.codec.wire.log.Id;
import io.entroq.codec.wire.log.Identity;
import io.entroq.codec.wire.log.Insert;
import io.entroq.codec.wire.log.Modify;
import io.entroq.codec.wire.log.TaskData;
import io.entroq.codec.wire.log.TaskRef;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Locale;

/** Prints a command on one line, for failure reports. Ids are keys in hex. Slow. */
public final class CommandText {
  private CommandText() {}

  /** An id as printed. */
  public static String id(long high, long low) {
    return String.format(Locale.ROOT, "%016x%016x", high, low);
  }

  static String of(int type, byte[] bytes, int length) {
    ByteBuffer command = ByteBuffer.wrap(bytes, 0, length);
    try {
      return switch (type) {
        case RecordType.CLAIM -> of(Claim.parseFrom(command));
        case RecordType.MODIFY -> of(Modify.parseFrom(command));
        case RecordType.CLAIM_DOCS -> of(ClaimDocs.parseFrom(command));
        case RecordType.CANCEL -> of(Cancel.parseFrom(command));
        case RecordType.CALLERS_GONE -> of(CallersGone.parseFrom(command));
        case RecordType.ACKNOWLEDGE -> of(Acknowledge.parseFrom(command));
        default -> RecordType.name(type);
      };
    } catch (InvalidProtocolBufferException e) {
      return RecordType.name(type) + " that cannot be read: " + e.getMessage();
    }
  }

  public static String of(Message command) {
    if (command instanceof Claim claim) {
      return "Claim" + identity(claim.hasIdentity(), claim.getIdentity()) + body(claim);
    }
    if (command instanceof Modify modify) {
      return "Modify" + identity(modify.hasIdentity(), modify.getIdentity()) + body(modify);
    }
    if (command instanceof ClaimDocs claim) {
      return "ClaimDocs" + identity(claim.hasIdentity(), claim.getIdentity()) + body(claim);
    }
    if (command instanceof Cancel cancel) {
      return "Cancel" + identity(true, cancel.getIdentity());
    }
    if (command instanceof CallersGone gone) {
      return "CallersGone" + (gone.getAll() ? " all" : identities(gone.getClientsList()));
    }
    if (command instanceof Acknowledge acknowledge) {
      String delivered =
          acknowledge.getDeliveredCount() == 0
              ? ""
              : " delivered" + identities(acknowledge.getDeliveredList());
      return "Acknowledge" + identities(acknowledge.getClientsList()) + delivered;
    }
    String name = command.getDescriptorForType().getName();
    return name + " " + command.toString().replace('\n', ' ');
  }

  private static String identities(List<Identity> identities) {
    StringBuilder text = new StringBuilder();
    identities.forEach(identity -> text.append(identity(true, identity)));
    return text.toString();
  }

  private static String identity(boolean isPresent, Identity identity) {
    return isPresent
        ? String.format(
            Locale.ROOT,
            " #%s/%d(acked<%d)",
            id(identity.getClientHigh(), identity.getClientLow()),
            identity.getNumber(),
            identity.getAckedBelow())
        : "";
  }

  private static String body(Claim claim) {
    return String.format(
        Locale.ROOT,
        "%s by %s from %s lease %d limit %d%s",
        facade(claim.getFacade()),
        id(claim.getClaimant()),
        claim.getQueuesList().stream().map(CommandText::shortened).toList(),
        claim.getLeaseMs(),
        claim.getLimit(),
        claim.getWait() ? " wait until " + claim.getDeadlineMs() : "");
  }

  private static String body(Modify modify) {
    StringBuilder text = new StringBuilder(facade(modify.getFacade()));
    text.append(" by ").append(id(modify.getClaimant()));
    for (Insert insert : modify.getInsertsList()) {
      text.append(" insert ").append(id(insert.getId())).append(data(insert.getData()));
    }
    for (Change change : modify.getChangesList()) {
      text.append(" change ").append(id(change.getId())).append(" v").append(change.getVersion());
      text.append(change.getFromQueue().isEmpty() ? "" : " in " + shortened(change.getFromQueue()));
      text.append(mode(change.getMode())).append(data(change.getData()));
    }
    modify.getDeletesList().forEach(ref -> text.append(" delete ").append(ref(ref)));
    modify.getDependsList().forEach(ref -> text.append(" depend ").append(ref(ref)));
    modify.getDocInsertsList().forEach(doc -> text.append(" insert ").append(doc(doc)));
    modify.getDocChangesList().forEach(doc -> text.append(" change ").append(doc(doc)));
    modify.getDocDeletesList().forEach(doc -> text.append(" delete ").append(doc(doc)));
    modify.getDocDependsList().forEach(doc -> text.append(" depend ").append(doc(doc)));
    modify
        .getFailsList()
        .forEach(fail -> text.append(" fail ").append(id(fail.getId())).append(fail(fail)));
    modify.getPolicyPutsList().forEach(policy -> text.append(" put ").append(rules(policy)));
    modify.getPolicyDeletesList().forEach(policy -> text.append(" drop ").append(rules(policy)));
    modify.getPausesList().forEach(pause -> text.append(" pause ").append(rules(pause)));
    if (modify.hasThenClaim()) {
      text.append(" then_claim").append(body(modify.getThenClaim()));
    }
    return text.toString();
  }

  private static String fail(Fail fail) {
    String in = fail.getQueue().isEmpty() ? "" : " in " + shortened(fail.getQueue());
    String delay = fail.getHasDelay() ? " for " + fail.getDelayMs() + " ms" : "";
    return " v" + fail.getVersion() + in + delay;
  }

  private static String rules(Message policy) {
    return "(" + policy.toString().strip().replace('\n', ' ') + ")";
  }

  private static String body(ClaimDocs claim) {
    StringBuilder text = new StringBuilder(" by ").append(id(claim.getClaimant()));
    for (DocSet set : claim.getSetsList()) {
      text.append(" of ").append(set(set.getKey(), set.getNamespace()));
      text.append(set.getOmitMembers() ? " without docs" : "");
    }
    return claim.hasTask()
        ? text.append(" with task ").append(ref(claim.getTask())).toString()
        : text.append(" lease ").append(claim.getLeaseMs()).toString();
  }

  private static String set(String key, String namespace) {
    return "set " + shortened(key) + " in " + shortened(namespace);
  }

  private static String doc(DocRef doc) {
    return doc.hasId()
        ? String.format(
            Locale.ROOT,
            "doc %s v%d in %s",
            id(doc.getId()),
            doc.getVersion(),
            shortened(doc.getNamespace()))
        : set(doc.getKey(), doc.getNamespace()) + " v" + doc.getVersion();
  }

  private static String doc(DocData doc) {
    return String.format(
        Locale.ROOT,
        "doc %s v%d in %s key %s/%s%s%s (%s of %d)",
        id(doc.getId()),
        doc.getVersion(),
        shortened(doc.getNamespace()),
        shortened(doc.getKey()),
        shortened(doc.getSecondaryKey()),
        mode(doc.getMode()),
        arrival(doc.getByMs(), doc.getArrivalMs()),
        doc.getValueKind(),
        doc.getValue().size());
  }

  private static String mode(ChangeMode mode) {
    return switch (mode) {
      case CHANGE_LEASE -> " lease only";
      case CHANGE_RESET_CLAIMS -> " no claims";
      case CHANGE_TAKE_BACK -> " taken back";
      default -> "";
    };
  }

  private static String arrival(long byMs, long atMs) {
    return byMs == 0 ? " at " + atMs : " in " + byMs + " ms";
  }

  private static String facade(Facade facade) {
    return facade == Facade.FACADE_V0 ? " v0" : "";
  }

  private static String id(Id id) {
    String text = id.getText();
    return id(id.getHigh(), id.getLow()) + (text.isEmpty() ? "" : "'" + shortened(text) + "'");
  }

  private static String ref(TaskRef ref) {
    String in = ref.getQueue().isEmpty() ? "" : " in " + shortened(ref.getQueue());
    return id(ref.getId()) + " v" + ref.getVersion() + in;
  }

  private static String data(TaskData data) {
    return String.format(
        Locale.ROOT,
        " into %s%s (%s of %d, attempt %d, err of %d%s)",
        shortened(data.getQueue()),
        arrival(data.getByMs(), data.getArrivalMs()),
        data.getValueKind(),
        data.getValue().size(),
        data.getAttempt(),
        data.getErr().length(),
        data.getTtlMs() == 0 ? "" : ", ttl " + data.getTtlMs());
  }

  private static String shortened(String text) {
    return text.length() <= 40 ? text : text.substring(0, 40) + "…";
  }
}
