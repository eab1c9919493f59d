package io.entroq.service.validation;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import io.entroq.codec.wire.edge.ClaimDocsRequest;
import io.entroq.codec.wire.edge.DocChange;
import io.entroq.codec.wire.edge.DocClaim;
import io.entroq.codec.wire.edge.DocSetClaim;
import io.entroq.codec.wire.edge.DocsRequest;
import io.entroq.codec.wire.edge.ModifyRequest;
import io.entroq.codec.wire.edge.TaskChange;
import io.entroq.service.call.Protocol;
import io.entroq.service.translation.Refusal;
import io.entroq.service.translation.RefusedException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Refuses requests with fields that this server does not know, at any depth. It would otherwise do
 * less than it was asked to.
 */
final class UnknownFields {
  /** More are counted, not named. */
  private static final int NAMED_MAX = 20;

  private UnknownFields() {}

  /**
   * Checks a message with all that is inside it.
   *
   * @throws RefusedException if it has an unknown field; names each by path and number
   */
  static void refuse(Message request, Protocol protocol) {
    if (!isKnown(request)) {
      List<String> unknown = new ArrayList<>();
      collect("", request, unknown);
      throw new RefusedException(Refusal.invalid(message(unknown, protocol)));
    }
  }

  private static String message(List<String> unknown, Protocol protocol) {
    String more =
        unknown.size() > NAMED_MAX ? " and %,d more".formatted(unknown.size() - NAMED_MAX) : "";
    return "the request, of protocol %d, has fields that this server, %s, does not know: %s%s. It serves protocols %s"
        .formatted(
            protocol.number(),
            Protocol.RELEASE,
            unknown.stream().limit(NAMED_MAX).collect(Collectors.joining(", ")),
            more,
            Protocol.SERVED);
  }

  /** Whether no message has unknown fields. Without reflection, since every request is checked. */
  private static boolean isKnown(Message request) {
    if (!isPlain(request)) {
      return false;
    }
    if (request instanceof ModifyRequest modify) {
      return areTasksKnown(modify)
          && areDocsKnown(modify)
          && arePoliciesKnown(modify)
          && isPlain(modify.getThenClaim());
    }
    if (request instanceof ClaimDocsRequest claim) {
      return isKnown(claim.getClaimQuery());
    }
    return !(request instanceof DocsRequest docs) || isPlain(docs.getQuery());
  }

  private static boolean areTasksKnown(ModifyRequest modify) {
    for (int i = 0; i < modify.getInsertsCount(); i++) {
      if (!isPlain(modify.getInserts(i))) {
        return false;
      }
    }
    for (int i = 0; i < modify.getChangesCount(); i++) {
      TaskChange change = modify.getChanges(i);
      if (!isPlain(change) || !isPlain(change.getOldId()) || !isPlain(change.getNewData())) {
        return false;
      }
    }
    for (int i = 0; i < modify.getFailsCount(); i++) {
      if (!isPlain(modify.getFails(i)) || !isPlain(modify.getFails(i).getId())) {
        return false;
      }
    }
    return arePlain(modify.getDeletesList()) && arePlain(modify.getDependsList());
  }

  private static boolean arePoliciesKnown(ModifyRequest modify) {
    return arePlain(modify.getPolicyPutsList())
        && arePlain(modify.getPolicyDeletesList())
        && arePlain(modify.getPausesList());
  }

  private static boolean areDocsKnown(ModifyRequest modify) {
    for (int i = 0; i < modify.getDocChangesCount(); i++) {
      DocChange change = modify.getDocChanges(i);
      if (!isPlain(change) || !isPlain(change.getOldId()) || !isPlain(change.getNewData())) {
        return false;
      }
    }
    return arePlain(modify.getDocInsertsList())
        && arePlain(modify.getDocDeletesList())
        && arePlain(modify.getDocDependsList());
  }

  private static boolean isKnown(DocClaim claim) {
    for (int i = 0; i < claim.getSetsCount(); i++) {
      DocSetClaim set = claim.getSets(i);
      if (!isPlain(set) || !isPlain(set.getSet())) {
        return false;
      }
    }
    return isPlain(claim) && isPlain(claim.getTaskToMatch());
  }

  private static boolean arePlain(List<? extends Message> messages) {
    for (int i = 0; i < messages.size(); i++) {
      if (!isPlain(messages.get(i))) {
        return false;
      }
    }
    return true;
  }

  private static boolean isPlain(Message message) {
    return message.getUnknownFields().isEmpty();
  }

  /** Adds the path and number of each unknown field. */
  private static void collect(String path, Message message, List<String> unknown) {
    String prefix = path.isEmpty() ? "" : path + " ";
    message.getUnknownFields().asMap().keySet().stream()
        .sorted()
        .forEach(number -> unknown.add(prefix + "field " + number));
    for (FieldDescriptor field : message.getDescriptorForType().getFields()) {
      if (field.getJavaType() == FieldDescriptor.JavaType.MESSAGE) {
        collect(
            path.isEmpty() ? field.getName() : path + "." + field.getName(),
            message,
            field,
            unknown);
      }
    }
  }

  private static void collect(
      String path, Message outer, FieldDescriptor field, List<String> unknown) {
    if (!field.isRepeated()) {
      if (outer.hasField(field)) {
        collect(path, (Message) outer.getField(field), unknown);
      }
      return;
    }
    for (int i = 0; i < outer.getRepeatedFieldCount(field); i++) {
      collect(path + "[" + i + "]", (Message) outer.getRepeatedField(field, i), unknown);
    }
  }
}
