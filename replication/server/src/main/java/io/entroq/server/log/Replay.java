package io.entroq.server.log;

import io.entroq.codec.command.MalformedMessageException;
import io.entroq.codec.record.RecordType;
import io.entroq.engine.log.RecordHandler;
import io.entroq.engine.memory.InvariantBrokenException;
import io.entroq.engine.recovery.Recovery;
import io.entroq.engine.state.DiscardingSink;
import io.entroq.engine.state.StateMachine;
import io.entroq.engine.state.StateMachineConfig;
import io.entroq.engine.state.UnsupportedLevelException;
import org.agrona.DirectBuffer;

/** Folds records up to the first that cannot be. */
final class Replay implements RecordHandler {
  private final StateMachine machine = new StateMachine(StateMachineConfig.DEFAULT);
  private final RecordHandler fold = Recovery.into(machine, DiscardingSink.INSTANCE);
  private String problem;

  @Override
  public void onRecord(
      int type,
      long sequence,
      long logTimeMs,
      int payloadCrc,
      DirectBuffer payload,
      int offset,
      int length) {
    if (problem != null) {
      return;
    }
    try {
      fold.onRecord(type, sequence, logTimeMs, payloadCrc, payload, offset, length);
    } catch (MalformedMessageException | InvariantBrokenException | UnsupportedLevelException e) {
      problem =
          ("Record %d (%s) is undamaged and cannot be replayed: %s. Use the build that wrote it, and"
                  + " report this.")
              .formatted(sequence, RecordType.name(type), e.getMessage());
    } catch (OutOfMemoryError e) {
      problem =
          ("There is not enough memory to replay the log: at record %d, %s. Give the JVM more"
                  + " (-XX:MaxDirectMemorySize, -Xmx), or use --no-replay.")
              .formatted(sequence, e.getMessage());
    }
  }

  /** Why the records could not all be folded, or what is wrong with the outcome; null: nothing. */
  String problem() {
    if (problem == null && machine.recomputeContentDigest() != machine.contentDigest()) {
      return "The content digest after record %d is %016x, that of its tasks %016x. Report this."
          .formatted(machine.sequence(), machine.contentDigest(), machine.recomputeContentDigest());
    }
    return problem;
  }

  /** Whether the machine holds what the records say. */
  boolean isUsable() {
    return problem == null && machine.sequence() > 0;
  }

  StateMachine machine() {
    return machine;
  }
}
