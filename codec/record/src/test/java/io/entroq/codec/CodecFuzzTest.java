package io.entroq.codec;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.google.protobuf.Message;
import io.entroq.codec.message.MalformedMessageException;
import io.entroq.codec.testing.MessageCase;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Whatever the bytes: a decoder refuses them, or reads what the generated class reads. Runs over
 * the corpus beside it; with {@code JAZZER_FUZZ=1} in the environment it hunts for more.
 */
class CodecFuzzTest {
  private static final List<MessageCase<?>> CASES = MessageCase.all();

  /** The first byte chooses the kind of message. */
  @FuzzTest(maxDuration = "20s")
  void shouldRefuseOrReadAsProtobuf(byte[] data) {
    if (data.length == 0) {
      return;
    }
    MessageCase<?> message = CASES.get((data[0] & 0xFF) % CASES.size());
    byte[] bytes = Arrays.copyOfRange(data, 1, data.length);
    Message read;
    try {
      read = message.read(new UnsafeBuffer(data), 1, bytes.length);
    } catch (MalformedMessageException e) {
      return;
    }
    assertThat(message.readByProtobuf(bytes)).isEqualTo(Optional.of(read));
  }
}
