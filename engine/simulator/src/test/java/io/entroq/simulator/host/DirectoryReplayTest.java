package io.entroq.simulator.host;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Message;
import io.entroq.api.Durability;
import io.entroq.codec.record.RecordType;
import io.entroq.codec.result.ResultDecoder;
import io.entroq.codec.wire.log.Claim;
import io.entroq.codec.wire.log.Id;
import io.entroq.codec.wire.log.Identity;
import io.entroq.codec.wire.log.Insert;
import io.entroq.codec.wire.log.Modify;
import io.entroq.codec.wire.log.TaskData;
import io.entroq.engine.fault.FaultPoint;
import io.entroq.engine.state.StateMachine;
import io.entroq.simulator.call.AnswerReporter;
import io.entroq.simulator.call.Request;
import io.entroq.simulator.check.Ledger;
import io.entroq.simulator.disk.SimulatedDisk;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A dead engine's directory is replayed with all its answers. */
class DirectoryReplayTest {
  private static final Id ME = Id.newBuilder().setHigh(1).setLow(77).build();
  private static final long MINUTE = 60;

  private final LoneEngine engine = new LoneEngine();
  private final SimulatedDisk disk = engine.disk;
  private final Ledger ledger = engine.ledger;
  private final EngineHost host = engine.host;

  /** Record 1 begins the log, 2 inserts a task, and 3 is a claim that waits. */
  @BeforeEach
  void leaveAClaimThatWaits() {
    host.open();
    TaskData data = TaskData.newBuilder().setQueue("there").build();
    Id id = Id.newBuilder().setHigh(1).setLow(5).build();
    Insert insert = Insert.newBuilder().setId(id).setData(data).build();
    send(RecordType.MODIFY, Modify.newBuilder().setClaimant(ME).addInserts(insert).build());
    Identity identity =
        Identity.newBuilder().setClientHigh(9).setNumber(1).setAckedBelow(1).build();
    Claim.Builder claim = Claim.newBuilder().setIdentity(identity).setClaimant(ME);
    send(RecordType.CLAIM, claim.addQueues("empty").setLeaseMs(1_000).setWait(true).build());
    assertThat(ledger.sequence()).isEqualTo(3);
    assertThat(ledger.parkedCount()).isOne();
  }

  private void send(int type, Message command) {
    UnsafeBuffer bytes = new UnsafeBuffer(command.toByteArray());
    host.onRequest(new Request(0, type, bytes, (asked, reply) -> {}), (asked, reply) -> {});
    engine.run(MINUTE);
  }

  @AfterEach
  void switchOff() {
    host.switchOff();
  }

  @Test
  void shouldTellTheLedgerWhatAnOpeningHasAnsweredThatDiedOfIt() {
    host.killAndThen(() -> host.dieAt(FaultPoint.AFTER_APPEND_BEFORE_COMMIT, 1));

    engine.run(MINUTE);

    assertThat(host.isUp()).isTrue();
    assertThat(ledger.sequence()).as("two openings, one record of each").isEqualTo(5);
    assertThat(ledger.parkedCount()).isZero();
  }

  @Test
  void shouldHearEveryAnswerAndChangeNothing() {
    host.kill();
    Map<String, String> before = files();
    List<String> heard = new ArrayList<>();

    try (StateMachine machine = replay(heard)) {
      assertThat(machine.sequence()).isEqualTo(3);
      assertThat(machine.taskCount()).isOne();
      assertThat(machine.parkedCount()).isOne();
    }

    assertThat(heard).containsExactly("2 answered by 2", "3 waits");
    assertThat(files()).isEqualTo(before);
  }

  private StateMachine replay(List<String> heard) {
    AnswerReporter.Listener taker =
        new AnswerReporter.Listener() {
          @Override
          public void onResult(long request, ResultDecoder result) {
            heard.add(request + " answered by " + result.sequence());
          }

          @Override
          public void onParked(long request) {
            heard.add(request + " waits");
          }
        };
    return new DirectoryReplay(disk, EngineHost.DIRECTORY, Durability.DISK)
        .run(new AnswerReporter(taker));
  }

  private Map<String, String> files() {
    Map<String, String> files = new TreeMap<>();
    for (String path : disk.files(each -> true)) {
      files.put(path, HexFormat.of().formatHex(disk.read(path)));
    }
    return files;
  }
}
