package io.entroq.codec;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Message;
import com.google.protobuf.TextFormat;
import io.entroq.codec.testing.GoldenFiles;
import io.entroq.codec.testing.MessageCase;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Bytes that logs may hold must be read and written alike for ever: {@code golden/v1} has messages
 * as text and as the bytes that the C++ implementation of protobuf made of them.
 */
class CodecGoldenTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "Acknowledge",
        "Acknowledge-delivered",
        "Attributes",
        "CallersGone",
        "CallersGone-all",
        "Cancel",
        "Claim",
        "ClaimDocs",
        "ClaimDocs-of-task",
        "Cut",
        "Genesis",
        "ListDocs",
        "ListNamespaces",
        "ListPolicies",
        "ListQueues",
        "ListTasks",
        "Modify",
        "Modify-docs",
        "Modify-fails",
        "Modify-leases",
        "Modify-limited",
        "Modify-policies",
        "Modify-take-back",
        "RaiseLevel",
        "Result",
        "Result-dependency",
        "Result-docs",
        "Result-full",
        "Result-held-docs",
        "Result-listing",
        "Result-namespaces",
        "Result-policies",
        "Result-position",
        "Result-sets",
        "Result-stats",
        "TaskPosition",
        "Tick",
      })
  void shouldReadAndWriteTheBytesOfEveryReleasedFormat(String name) throws Exception {
    MessageCase<?> message = MessageCase.named(GoldenFiles.messageName(name));
    byte[] bytes = GoldenFiles.bytes(name);
    Message.Builder builder = message.newBuilder();
    TextFormat.merge(GoldenFiles.text(name), builder);
    Message expected = builder.build();

    ExpandableArrayBuffer buffer = new ExpandableArrayBuffer();
    byte[] written = new byte[message.write(expected, buffer, 0)];
    buffer.getBytes(0, written);
    assertThat(written).isEqualTo(bytes);
    assertThat(message.read(new UnsafeBuffer(bytes), 0, bytes.length))
        .isEqualTo(message.normal(expected));
  }
}
