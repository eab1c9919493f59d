package io.entroq.codec;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import io.entroq.codec.message.MalformedMessageException;
import io.entroq.codec.testing.MessageCase;
import io.entroq.codec.testing.Seeds;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.ExpandableDirectByteBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The codec against the generated classes, over random messages of every kind. */
class CodecPropertyTest {
  /** So many that random messages have every field. */
  private static final int MESSAGES_WITH_ALL_FIELDS = 1_000;

  private static final int MESSAGES = 300;
  private static final int MUTATED_MESSAGES = 5;
  private static final int MUTATIONS = 200;
  private static final int MUTATED_BYTES_MAX = 400;

  static List<MessageCase<?>> cases() {
    return MessageCase.all();
  }

  /** How many times the usual number of messages there are. */
  int times() {
    return 1;
  }

  /** So that a field that is added to a schema is added to the random messages too. */
  @ParameterizedTest
  @MethodSource("cases")
  void shouldTryEveryField(MessageCase<?> message) {
    Random random = Seeds.random("fields " + message);
    Set<FieldDescriptor> untried =
        new HashSet<>(message.newBuilder().getDescriptorForType().getFields());
    for (int i = 0; i < MESSAGES_WITH_ALL_FIELDS; i++) {
      untried.removeAll(message.random(random).getAllFields().keySet());
    }
    assertThat(untried).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("cases")
  void shouldWriteTheBytesOfTheGeneratedClass(MessageCase<?> message) {
    Random random = Seeds.random("write " + message);
    for (int i = 0; i < MESSAGES * times(); i++) {
      Message expected = message.random(random);
      MutableDirectBuffer buffer = target(random, expected.getSerializedSize());
      int offset = buffer.isExpandable() ? random.nextInt(50) : 0;
      byte[] written = new byte[message.write(expected, buffer, offset)];
      buffer.getBytes(offset, written);
      assertThat(written).as("%s", expected).isEqualTo(expected.toByteArray());
    }
  }

  private static MutableDirectBuffer target(Random random, int size) {
    return switch (random.nextInt(4)) {
      case 0 -> new ExpandableArrayBuffer(1);
      case 1 -> new ExpandableDirectByteBuffer(1);
      case 2 -> new UnsafeBuffer(new byte[size]);
      default -> new UnsafeBuffer(ByteBuffer.allocateDirect(size));
    };
  }

  @ParameterizedTest
  @MethodSource("cases")
  void shouldReadTheFieldsOfTheGeneratedClass(MessageCase<?> message) {
    Random random = Seeds.random("read " + message);
    for (int i = 0; i < MESSAGES * times(); i++) {
      Message expected = message.random(random);
      byte[] bytes = expected.toByteArray();
      assertThat(read(message, random, bytes)).isEqualTo(message.normal(expected));
    }
  }

  @ParameterizedTest
  @MethodSource("cases")
  void shouldReadWhatOtherEncodersMayWrite(MessageCase<?> message) {
    Random random = Seeds.random("scrambled " + message);
    for (int i = 0; i < MESSAGES * times(); i++) {
      Message expected = message.random(random);
      byte[] bytes = message.scramble(expected, random);
      assertThat(message.readByProtobuf(bytes)).contains(message.normal(expected));
      assertThat(read(message, random, bytes)).isEqualTo(message.normal(expected));
    }
  }

  @ParameterizedTest
  @MethodSource("cases")
  void shouldRefuseOrReadAsProtobufWhereBytesAreMissing(MessageCase<?> message) {
    Random random = Seeds.random("truncated " + message);
    for (int i = 0; i < MUTATED_MESSAGES * times(); i++) {
      byte[] bytes = smallMessage(message, random);
      for (int length = 0; length < bytes.length; length++) {
        check(message, random, Arrays.copyOf(bytes, length));
      }
    }
  }

  @ParameterizedTest
  @MethodSource("cases")
  void shouldRefuseOrReadAsProtobufWhereBitsAreFlipped(MessageCase<?> message) {
    Random random = Seeds.random("flipped " + message);
    for (int i = 0; i < MUTATED_MESSAGES * times(); i++) {
      byte[] bytes = smallMessage(message, random);
      for (int bit = 0; bit < 8 * bytes.length; bit++) {
        bytes[bit / 8] ^= (byte) (1 << bit % 8);
        check(message, random, bytes);
        bytes[bit / 8] ^= (byte) (1 << bit % 8);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("cases")
  void shouldRefuseOrReadAsProtobufWhereBytesAreOverwrittenInsertedOrLost(MessageCase<?> message) {
    Random random = Seeds.random("mutated " + message);
    for (int i = 0; i < MUTATED_MESSAGES * times(); i++) {
      byte[] bytes = smallMessage(message, random);
      byte[] other = smallMessage(message, random);
      for (int j = 0; j < MUTATIONS; j++) {
        check(message, random, mutate(random, bytes, other));
      }
    }
  }

  /** Replaces a few pieces by pieces of another message or by bytes that mean much in protobuf. */
  private static byte[] mutate(Random random, byte[] bytes, byte[] other) {
    byte[] mutated = bytes;
    for (int i = random.nextInt(3); i >= 0; i--) {
      byte[] piece = random.nextBoolean() ? piece(random, other) : special(random);
      int from = random.nextInt(mutated.length + 1);
      int to = Math.min(mutated.length, from + random.nextInt(6));
      byte[] next = new byte[from + piece.length + mutated.length - to];
      System.arraycopy(mutated, 0, next, 0, from);
      System.arraycopy(piece, 0, next, from, piece.length);
      System.arraycopy(mutated, to, next, from + piece.length, mutated.length - to);
      mutated = next;
    }
    return mutated;
  }

  private static byte[] piece(Random random, byte[] bytes) {
    int from = random.nextInt(bytes.length + 1);
    return Arrays.copyOfRange(bytes, from, Math.min(bytes.length, from + random.nextInt(20)));
  }

  private static byte[] special(Random random) {
    byte[] special = new byte[random.nextInt(11)];
    Arrays.fill(special, (byte) (random.nextBoolean() ? 0xFF : 0x80));
    if (special.length > 0) {
      special[special.length - 1] = (byte) random.nextInt(128);
    }
    return special;
  }

  private static byte[] smallMessage(MessageCase<?> message, Random random) {
    byte[] bytes;
    do {
      Message valid = message.random(random);
      bytes = random.nextBoolean() ? valid.toByteArray() : message.scramble(valid, random);
    } while (bytes.length > MUTATED_BYTES_MAX);
    return bytes;
  }

  private static void check(MessageCase<?> message, Random random, byte[] bytes) {
    Message read;
    try {
      read = read(message, random, bytes);
    } catch (MalformedMessageException e) {
      return;
    }
    if (!hasNeedlessTenthByte(bytes)) {
      assertThat(message.readByProtobuf(bytes)).as(() -> hex(bytes)).isEqualTo(Optional.of(read));
    }
  }

  /**
   * protobuf-java takes a varint of ten bytes for negative without looking at the last one, so it
   * is no judge of one whose last byte is zero.
   */
  private static boolean hasNeedlessTenthByte(byte[] bytes) {
    int run = 0;
    for (byte next : bytes) {
      if (next == 0 && run >= 9) {
        return true;
      }
      run = next < 0 ? run + 1 : 0;
    }
    return false;
  }

  /** Reads from a buffer with foreign bytes around the message, which must not matter. */
  private static Message read(MessageCase<?> message, Random random, byte[] bytes) {
    int offset = random.nextInt(20);
    byte[] around = new byte[offset + bytes.length + random.nextInt(20)];
    random.nextBytes(around);
    System.arraycopy(bytes, 0, around, offset, bytes.length);
    UnsafeBuffer buffer = new UnsafeBuffer(around);
    if (random.nextBoolean()) {
      buffer.wrap(ByteBuffer.allocateDirect(around.length).put(around));
    }
    return message.read(buffer, offset, bytes.length);
  }

  private static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }
}
