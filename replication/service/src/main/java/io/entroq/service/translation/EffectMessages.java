package io.entroq.service.translation;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import io.entroq.codec.effect.EffectKinds;
import io.entroq.codec.effect.EffectParts;
import io.entroq.codec.effect.EffectReader;
import io.entroq.codec.effect.StepFrame;
import io.entroq.codec.message.DeadReasons;
import io.entroq.codec.message.PolicyDecoder;
import io.entroq.codec.message.ValueKinds;
import io.entroq.codec.wire.edge.Doc;
import io.entroq.codec.wire.edge.Effect;
import io.entroq.codec.wire.edge.Policy;
import io.entroq.codec.wire.edge.PolicyKind;
import io.entroq.codec.wire.edge.PolicyState;
import io.entroq.codec.wire.edge.Task;

/** Converts effects for the responses of a feed, as the v1 API shows them. Not thread-safe. */
public final class EffectMessages {
  private final boolean showsRaw;
  private final PolicyDecoder policy = new PolicyDecoder();

  /**
   * @param showsRaw whether byte values are shown as bytes
   */
  public EffectMessages(boolean showsRaw) {
    this.showsRaw = showsRaw;
  }

  /** An effect, while it is valid. */
  public Effect effect(EffectReader effect) {
    StepFrame step = effect.step();
    Effect.Builder builder =
        Effect.newBuilder()
            .setKindValue(effect.kind())
            .setSequence(step.sequence())
            .setIndex(effect.index())
            .setTimeMs(step.logTimeMs())
            .setWasInFlight(effect.wasInFlight())
            .setFailed(effect.isFailed());
    if (effect.isRequested()) {
      String text = new TextReader(step.buffer()).text(step.byTextOffset(), step.byTextLength());
      builder.setRequester(Facade.V1.showId(step.byHigh(), step.byLow(), text));
    }
    if (effect.isOfTask()) {
      builder
          .setTask(task(effect))
          .setInsertSequence(effect.insertSequence())
          .setFormerQueue(text(effect, EffectParts.FORMER_QUEUE));
    } else if (effect.isOfDocs()) {
      builder.setDoc(doc(effect));
    } else {
      builder.setPolicy(policy(effect));
    }
    return builder.build();
  }

  private Task task(EffectReader effect) {
    Task.Builder task =
        Task.newBuilder()
            .setQueue(text(effect, EffectParts.QUEUE))
            .setId(id(effect))
            .setVersion(effect.version())
            .setAtMs(effect.dueMs())
            .setClaimantId(claimant(effect))
            .setCreatedMs(effect.createdMs())
            .setModifiedMs(effect.modifiedMs())
            .setClaims(effect.count())
            .setAttempt(effect.attempt())
            .setErr(text(effect, EffectParts.ERR))
            .setInFlight(effect.isInFlight())
            .setLapses(effect.lapses())
            .setExpiresMs(Math.max(0, effect.expiresMs()))
            .setTrace(text(effect, EffectParts.TRACE));
    if (effect.reason() != DeadReasons.NONE) {
      task.setOrigin(text(effect, EffectParts.ORIGIN))
          .setReasonValue(effect.reason())
          .setDeadAtMs(effect.deadAtMs());
    }
    if (hasValue(effect)) {
      if (isRaw(effect)) {
        task.setRaw(raw(effect));
      } else {
        task.setValue(value(effect));
      }
    }
    return task.build();
  }

  private Doc doc(EffectReader effect) {
    Doc.Builder doc =
        Doc.newBuilder()
            .setNamespace(text(effect, EffectParts.NAMESPACE))
            .setVersion(effect.version())
            .setClaimant(claimant(effect))
            .setAtMs(effect.dueMs())
            .setKey(text(effect, EffectParts.KEY))
            .setSecondaryKey(text(effect, EffectParts.SECONDARY_KEY))
            .setCreatedMs(effect.createdMs())
            .setModifiedMs(effect.modifiedMs());
    if (effect.kind() >= EffectKinds.SET_WRITTEN) {
      return doc.setLen(effect.count()).build();
    }
    doc.setId(id(effect));
    if (hasValue(effect)) {
      if (isRaw(effect)) {
        doc.setRaw(raw(effect));
      } else {
        doc.setContent(value(effect));
      }
    }
    return doc.build();
  }

  private PolicyState policy(EffectReader effect) {
    PolicyState.Builder state =
        PolicyState.newBuilder().setVersion(effect.version()).setPausedUntilMs(effect.dueMs());
    if (effect.kind() == EffectKinds.BREAKER_OPENED) {
      return state
          .setPolicy(
              Policy.newBuilder()
                  .setKind(PolicyKind.POLICY_QUEUE)
                  .setName(text(effect, EffectParts.QUEUE)))
          .build();
    }
    policy.wrap(
        effect.buffer(), effect.offset(EffectParts.POLICY), effect.length(EffectParts.POLICY));
    return state
        .setPolicy(new PolicyReader(new TextReader(effect.buffer())).policy(policy))
        .build();
  }

  private static String id(EffectReader effect) {
    return Facade.V1.showId(effect.idHigh(), effect.idLow(), text(effect, EffectParts.ID_TEXT));
  }

  private static String claimant(EffectReader effect) {
    return Facade.V1.showId(
        effect.claimantHigh(), effect.claimantLow(), text(effect, EffectParts.CLAIMANT_TEXT));
  }

  private static String text(EffectReader effect, int part) {
    return new TextReader(effect.buffer()).text(effect.offset(part), effect.length(part));
  }

  private static boolean hasValue(EffectReader effect) {
    return effect.has(EffectParts.VALUE) && effect.valueKind() != ValueKinds.ABSENT;
  }

  private boolean isRaw(EffectReader effect) {
    return showsRaw && effect.valueKind() == ValueKinds.BYTES;
  }

  private static ByteString raw(EffectReader effect) {
    return UnsafeByteOperations.unsafeWrap(bytes(effect));
  }

  private static ByteString value(EffectReader effect) {
    return Facade.V1.showValue(effect.valueKind(), bytes(effect));
  }

  private static byte[] bytes(EffectReader effect) {
    return new TextReader(effect.buffer())
        .bytes(effect.offset(EffectParts.VALUE), effect.length(EffectParts.VALUE));
  }
}
