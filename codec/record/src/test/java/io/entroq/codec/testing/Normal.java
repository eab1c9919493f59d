package io.entroq.codec.testing;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import com.google.protobuf.UnknownFieldSet;
import io.entroq.codec.wire.log.Acknowledge;
import io.entroq.codec.wire.log.CallersGone;
import io.entroq.codec.wire.log.Cancel;
import io.entroq.codec.wire.log.Claim;
import io.entroq.codec.wire.log.Id;
import io.entroq.codec.wire.log.Identity;
import io.entroq.codec.wire.log.Item;
import java.util.Map;

/** Takes out of messages what the codec does not tell apart from its absence. */
final class Normal {
  private Normal() {}

  static Message form(Message message) {
    Message.Builder builder = message.toBuilder();
    builder.setUnknownFields(UnknownFieldSet.getDefaultInstance());
    for (Map.Entry<FieldDescriptor, Object> field : message.getAllFields().entrySet()) {
      if (field.getKey().getJavaType() == FieldDescriptor.JavaType.MESSAGE) {
        replace(builder, field.getKey());
      }
    }
    if (builder instanceof Claim.Builder claim) {
      claim.setLimit(Math.max(1, claim.getLimit()));
    } else if (builder instanceof Cancel.Builder cancel) {
      cancel.getIdentityBuilder().clearAckedBelow();
    } else if (builder instanceof CallersGone.Builder gone) {
      for (Identity.Builder client : gone.getClientsBuilderList()) {
        client.clearNumber().clearAckedBelow();
      }
    } else if (builder instanceof Acknowledge.Builder acknowledge) {
      acknowledge.getClientsBuilderList().forEach(Identity.Builder::clearNumber);
      acknowledge.getDeliveredBuilderList().forEach(Identity.Builder::clearAckedBelow);
    }
    return builder.build();
  }

  private static void replace(Message.Builder builder, FieldDescriptor field) {
    if (field.isRepeated()) {
      for (int i = 0; i < builder.getRepeatedFieldCount(field); i++) {
        builder.setRepeatedField(field, i, form((Message) builder.getRepeatedField(field, i)));
      }
      return;
    }
    Message inner = form((Message) builder.getField(field));
    boolean isEmpty = inner.getSerializedSize() == 0;
    if (isEmpty && (inner instanceof Id || inner instanceof Item)) {
      builder.clearField(field);
    } else {
      builder.setField(field, inner);
    }
  }
}
