package io.entroq.cluster.member;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import io.aeron.cluster.client.AeronCluster;
import io.entroq.cluster.session.MemberCredentials;
import io.entroq.cluster.session.MemberPrincipal;
import io.entroq.codec.command.RaiseLevelEncoder;
import io.entroq.codec.record.RecordType;
import org.agrona.concurrent.UnsafeBuffer;

/** Puts a command into the log that no member can apply. */
final class PoisonedCommand {
  private static final int BYTES = 28;
  private static final int LENGTH_OFFSET = 4;
  private static final int UNKNOWN = 100;
  private static final long INCARNATION = 0x600d_bad1;

  private PoisonedCommand() {}

  /** Sends it through a member, which is running. */
  static void send(ClusterMember member) {
    // A valid type that is never proposed.
    send(member, RecordType.CUT);
  }

  /** Sends a command of an unknown type, as a newer build might. */
  static void sendUnknown(ClusterMember member) {
    send(member, UNKNOWN);
  }

  /** Raises the behavior level without a survey, as a newer build might. */
  static void sendLevel(ClusterMember member, int level) {
    UnsafeBuffer frame = frame(RecordType.RAISE_LEVEL);
    int length = new RaiseLevelEncoder().wrap(frame, BYTES).level(level).length();
    frame.putInt(LENGTH_OFFSET, length, LITTLE_ENDIAN);
    send(member, frame, BYTES + length);
  }

  private static void send(ClusterMember member, int type) {
    send(member, frame(type), BYTES);
  }

  private static UnsafeBuffer frame(int type) {
    UnsafeBuffer frame = new UnsafeBuffer(new byte[2 * BYTES]);
    frame.putShort(0, (short) 0x5045, LITTLE_ENDIAN);
    frame.putByte(2, (byte) 1);
    frame.putByte(3, (byte) type);
    frame.putLong(12, INCARNATION, LITTLE_ENDIAN);
    frame.putLong(20, 1, LITTLE_ENDIAN);
    return frame;
  }

  private static void send(ClusterMember member, UnsafeBuffer frame, int length) {
    try (AeronCluster session = AeronCluster.connect(context(member.config()))) {
      Await.until("the command is sent", () -> session.offer(frame, 0, length) > 0);
    }
  }

  private static AeronCluster.Context context(MemberConfig config) {
    return new AeronCluster.Context()
        .aeronDirectoryName(config.driverDirectory().toString())
        .ingressChannel("aeron:udp?term-length=" + MemberConfig.TERM_BYTES)
        .ingressEndpoints(MemberAddress.forIngress(config.members()))
        .egressChannel("aeron:udp?endpoint=" + config.address().host() + ":0")
        .errorHandler(error -> {})
        .credentialsSupplier(
            new MemberCredentials(MemberPrincipal.of(INCARNATION), config.secret()));
  }
}
