package io.entroq.workers;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.entroq.api.Change;
import io.entroq.api.Claim;
import io.entroq.api.Doc;
import io.entroq.api.DocClaim;
import io.entroq.api.DocInsert;
import io.entroq.api.DocQuery;
import io.entroq.api.EntroQ;
import io.entroq.api.EntroQException;
import io.entroq.api.Insert;
import io.entroq.api.Modification;
import io.entroq.api.Task;
import io.entroq.api.Value;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a program and a gateway say to each other, whatever carries it. */
public abstract class GatewayConformance extends WorkersTestBase {
  /** Of the tasks that are given to the program. */
  protected static final Duration LEASE = Duration.ofSeconds(3);

  protected static WorkGateway.Builder config() {
    return WorkGateway.from("in").lease(LEASE).version("test");
  }

  /** Starts a gateway with a program, which is the test. */
  protected abstract void open(WorkGateway.Builder config, EntroQ target) throws Exception;

  /** The next message to the program. */
  protected abstract String receiveText() throws Exception;

  protected abstract void sendText(String message) throws Exception;

  /** The program hangs up. */
  protected abstract void hangUp() throws Exception;

  /** Waits until the gateway has ended, and what it did is done. */
  protected abstract WorkGateway.End awaitEnd() throws Exception;

  private void connect(WorkGateway.Builder config) throws Exception {
    connect(config, queue);
  }

  private void connect(WorkGateway.Builder config, EntroQ target) throws Exception {
    open(config, target);
    assertThat(receive())
        .isEqualTo(
            Json.MAPPER.readTree("{\"type\":\"hello\",\"protocol\":1,\"version\":\"test\"}"));
  }

  /** Connects a program and gives it a task. */
  final JsonNode begin(WorkGateway.Builder config) throws Exception {
    return begin(config, queue);
  }

  private JsonNode begin(WorkGateway.Builder config, EntroQ target) throws Exception {
    insert("1");
    connect(config, target);
    return receive("doWork");
  }

  private JsonNode receive() throws Exception {
    return Json.MAPPER.readTree(receiveText());
  }

  private JsonNode receive(String type) throws Exception {
    JsonNode message = receive();
    assertThat(message.path("type").asText()).as(message.toString()).isEqualTo(type);
    return message;
  }

  /** Receives the task with this value. */
  private void receiveTask(int value) throws Exception {
    assertThat(receive("doWork").get("task").get("value").intValue()).isEqualTo(value);
  }

  /** Sends JSON that has single quotes for double ones. */
  private void send(String message) throws Exception {
    sendText(message.replace('\'', '"'));
  }

  final void answer(String rest) throws Exception {
    send("{'type':'result'," + rest + "}");
  }

  final void acknowledge() throws Exception {
    answer("'outcome':'ok','ack':true");
  }

  protected static void await(BooleanSupplier condition) throws InterruptedException {
    while (!condition.getAsBoolean()) {
      TimeUnit.MILLISECONDS.sleep(1);
    }
  }

  private void awaitEnd(WorkGateway.End end) throws Exception {
    assertThat(awaitEnd()).isEqualTo(end);
  }

  private void assertError(String error, String message) throws Exception {
    JsonNode received = receive("error");
    assertThat(received.get("class").textValue()).isEqualTo(error);
    assertThat(received.get("message").textValue()).contains(message);
  }

  /** The program has made a mistake. */
  private void assertFault(String why) throws Exception {
    assertError("caller", why);
    awaitEnd(WorkGateway.End.CALLER);
  }

  private void assertReleased() {
    assertThat(only("in").arrivalTime()).isBeforeOrEqualTo(queue.time());
    assertThat(only("in").attempt()).isZero();
  }

  private void assertLeftToItsLease() {
    assertThat(only("in").arrivalTime()).isAfter(queue.time());
    assertThat(only("in").attempt()).isZero();
  }

  @Test
  void shouldGiveTheTaskToTheProgramAndDeleteItWhenAcknowledged() throws Exception {
    Task task = insert("{\"x\":1}");
    connect(config());
    JsonNode work = receive("doWork");
    Task claimed = only("in");
    assertThat(claimed.claimant()).startsWith(queue.claimant() + "#");
    assertThat(work.get("task").toString())
        .isEqualTo(
            "{\"queue\":\"in\",\"id\":\"%s\",\"version\":1,\"atMs\":\"%d\",\"claimantId\":\"%s\",\"value\":{\"x\":1},\"createdMs\":\"%d\",\"modifiedMs\":\"%d\",\"claims\":1}"
                .formatted(
                    task.id(),
                    claimed.arrivalTime().toEpochMilli(),
                    claimed.claimant(),
                    task.created().toEpochMilli(),
                    claimed.modified().toEpochMilli()));
    acknowledge();
    await(() -> tasks("in").isEmpty());
    insert(Value.bytes(new byte[] {1, 2}));
    assertThat(receive("doWork").get("task").get("value").textValue()).isEqualTo("AQI=");
    acknowledge();
    insert(Insert.into("in").withAttempt(3, "why"));
    JsonNode third = receive("doWork").get("task");
    assertThat(third.has("value")).isFalse();
    assertThat(third.get("attempt").intValue()).isEqualTo(3);
    assertThat(third.get("err").textValue()).isEqualTo("why");
  }

  @Test
  void shouldCommitTheModificationAtTheNewestVersion() throws Exception {
    JsonNode task = begin(config()).get("task");
    queue.advance(LEASE.multipliedBy(2).dividedBy(3));
    await(() -> only("in").version() == 2);
    answer(
        "'outcome':'ok','modification':{'claimantId':'other','deletes':[{'id':'%s','version':1,'queue':'in'}],'inserts':[{'queue':'out','value':{'y':[1,null]},'attempt':1,'err':'e','id':'new'}]}"
            .formatted(task.get("id").textValue()));
    await(() -> !tasks("out").isEmpty());
    Task inserted = only("out");
    assertThat(inserted.text()).isEqualTo("{\"y\":[1,null]}");
    assertThat(inserted.id().text()).isEqualTo("new");
    assertThat(inserted.err()).isEqualTo("e");
  }

  @Test
  void shouldMoveAndChangeTheTask() throws Exception {
    JsonNode task = begin(config()).get("task");
    answer(
        "'outcome':'ok','ack':true,'modification':{'changes':[{'oldId':{'id':'%s','version':1,'queue':'in'},'newData':{'queue':'next','value':2},'mode':'CHANGE_RESET_CLAIMS'}]}"
            .formatted(task.get("id").textValue()));
    await(() -> !tasks("next").isEmpty());
    assertThat(only("next").text()).isEqualTo("2");
    assertThat(only("next").claims()).isZero();
  }

  @Test
  void shouldLeaveTheTaskToItsLeaseWithoutAnAcknowledgement() throws Exception {
    begin(config());
    answer("'outcome':'ok','modification':{'inserts':[{'queue':'out'}]}");
    await(() -> !tasks("out").isEmpty());
    assertThat(tasks("in").get(0).arrivalTime()).isAfter(queue.time());
    workAgain();
  }

  /** The session goes on: after the lease, the task comes again. */
  private void workAgain() throws Exception {
    queue.advance(LEASE);
    receive("doWork");
    acknowledge();
    await(() -> tasks("in").isEmpty());
  }

  @Test
  void shouldRetryAfterADelay() throws Exception {
    begin(config());
    answer("'outcome':'retry','message':'busy','after':'1m30s'");
    await(() -> only("in").attempt() == 1);
    assertThat(only("in").err()).isEqualTo("busy");
    assertThat(only("in").arrivalTime()).isEqualTo(queue.time().plusSeconds(90));
  }

  @ParameterizedTest
  @CsvSource({
    "retry,,in/err",
    "retry,\"orMove\":\"other\",other",
    "move,,in/err",
    "move,\"to\":\"other\",other"
  })
  void shouldMoveATaskThatHasFailedTooOften(String outcome, String rest, String target)
      throws Exception {
    insert(Insert.into("in").withAttempt(1, ""));
    connect(config().maxAttempts(2));
    receive("doWork");
    answer("'outcome':'%s','message':'bad'%s".formatted(outcome, rest == null ? "" : "," + rest));
    await(() -> !tasks(target).isEmpty());
    assertThat(only(target).err()).isEqualTo("bad");
    assertThat(only(target).attempt()).isEqualTo(2);
  }

  @Test
  void shouldNameTheErrorQueueByItsTemplate() throws Exception {
    begin(config().errorQueue("errors/{inbox}"));
    answer("'outcome':'move'");
    await(() -> !tasks("errors/in").isEmpty());
    assertThat(only("errors/in").err()).isEqualTo("the program gave no reason");
  }

  @ParameterizedTest
  @ValueSource(strings = {"fatal", "error"})
  void shouldEndAndLeaveTheTaskIfTheProgramGivesUp(String outcome) throws Exception {
    begin(config());
    answer("'outcome':'%s','message':'why'".formatted(outcome));
    assertFault("the program reported " + outcome + ": why");
    assertLeftToItsLease();
  }

  @Test
  void shouldReleaseTheTaskOfAProgramThatHangsUp() throws Exception {
    begin(config());
    hangUp();
    awaitEnd(WorkGateway.End.OK);
    assertReleased();
  }

  @Test
  void shouldEndAtOnceIfTheProgramHangsUpBetweenTasks() throws Exception {
    connect(config());
    hangUp();
    awaitEnd(WorkGateway.End.OK);
    insert("1");
    assertThat(only("in").claims()).isZero();
  }

  @Test
  void shouldCommitTheResultOfAProgramThatHangsUpThen() throws Exception {
    begin(config().tellSuccess(true));
    acknowledge();
    hangUp();
    awaitEnd(WorkGateway.End.OK);
    assertThat(tasks("in")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"{", "no", "[1", "{} {}"})
  void shouldTreatWhatIsNotJsonAsAHangUp(String line) throws Exception {
    begin(config());
    send(line);
    awaitEnd(WorkGateway.End.OK);
    assertReleased();
  }

  @Test
  void shouldEndIfTheProgramSendsWhatNobodyAskedFor() throws Exception {
    connect(config());
    answer("'outcome':'ok'");
    assertFault("nobody asked for");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'type':'done'}|type 'done', not 'result'",
        "{'outcome':'ok'}|type '', not 'result'",
        "[]|type '', not 'result'",
        "{'type':7}|type must be a text",
        "{'type':'result'}|outcome '' is unknown",
        "{'type':'result','outcome':'fine'}|outcome 'fine' is unknown",
        "{'type':'result','outcome':'retry','after':'soon'}|'soon' is not a duration",
        "{'type':'result','outcome':'ok','modification':[]}|modification must be an object",
        "{'type':'result','outcome':'ok','modification':{'fails':[]}}|fails of a modification is not possible here",
        "{'type':'result','outcome':'ok','modification':{'docInserts':[{'id':'a'}]}}|namespace",
        "{'type':'result','outcome':'ok','modification':{'docInserts':[{'version':1}]}}|version of a doc is not possible here",
        "{'type':'result','outcome':'ok','modification':{'docChanges':[{'mode':'CHANGE_LEASE'}]}}|mode of a doc change",
        "{'type':'result','outcome':'ok','modification':{'docDeletes':[{'namespace':'n','key':'k'}]}}|key of a doc",
        "{'type':'result','outcome':'ok','modification':{'docDepends':7}}|docDepends must be a list",
        "{'type':'result','outcome':'ok','modification':{'inserts':{}}}|inserts must be a list",
        "{'type':'result','outcome':'ok','modification':{'inserts':[{}]}}|queue",
        "{'type':'result','outcome':'ok','modification':{'inserts':[{'queue':7}]}}|queue must be a text",
        "{'type':'result','outcome':'ok','modification':{'inserts':[{'queue':'a','byMs':1}]}}|byMs of a insert",
        "{'type':'result','outcome':'ok','modification':{'inserts':[{'queue':'a','atMs':1.5}]}}|atMs must be an integer",
        "{'type':'result','outcome':'ok','modification':{'inserts':[{'queue':'a','attempt':-1}]}}|attempt is out of range",
        "{'type':'result','outcome':'ok','modification':{'deletes':[{}]}}|task id",
        "{'type':'result','outcome':'ok','modification':{'deletes':['x']}}|task must be an object",
        "{'type':'result','outcome':'ok','modification':{'changes':[{'oldId':{'id':'x','queue':'in'},'mode':'CHANGE_LEASE'}]}}|mode CHANGE_LEASE",
        "{'type':'result','outcome':'ok','modification':{'changes':[{'oldId':{'id':'x','queue':'in'}}]}}|newData must be an object",
      })
  void shouldEndAndLeaveTheTaskOfAMalformedResult(String message, String why) throws Exception {
    begin(config());
    send(message);
    assertFault(why);
    assertLeftToItsLease();
  }

  @Test
  void shouldTellTheProgramOfALostLeaseAndGoOn() throws Exception {
    JsonNode task = begin(config()).get("task");
    takeAway();
    JsonNode abort = receive("abort");
    assertThat(abort.get("id")).isEqualTo(task.get("id"));
    assertThat(abort.get("version").intValue()).isEqualTo(1);
    acknowledge();
    insert("2");
    receiveTask(2);
    acknowledge();
    await(() -> tasks("in").isEmpty());
    assertThat(only("taken").id().text())
        .as("the late result is not committed")
        .isEqualTo(task.get("id").textValue());
  }

  /** Takes the task from the gateway, which finds out when it renews the lease. */
  private void takeAway() {
    queue.modify(Modification.takeBack(only("in"))).orThrow();
    queue.modify(Modification.change(Change.of(only("in")).moveTo("taken"))).orThrow();
    queue.advance(LEASE.multipliedBy(2).dividedBy(3));
  }

  @Test
  void shouldEndIfTheProgramDoesNotAnswerAnAbort() throws Exception {
    begin(config().lease(Duration.ofMillis(300)));
    takeAway();
    receive("abort");
    assertFault("did not answer within a lease of an abort");
  }

  @Test
  void shouldTellOfSuccess() throws Exception {
    begin(config().tellSuccess(true));
    acknowledge();
    receive("success");
    assertThat(tasks("in")).as("it is committed already").isEmpty();
    send("{'type':'done','outcome':'retry'}");
    insert("2");
    receive("doWork");
    acknowledge();
    receive("success");
    send("{'type':'done','outcome':'fatal','message':'enough'}");
    assertFault("the program reported fatal: enough");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'type':'result'}|type 'result', not 'done'",
        "{'type':'done','outcome':'fine'}|outcome 'fine' is unknown",
      })
  void shouldEndAfterAMalformedAnswer(String message, String why) throws Exception {
    begin(config().tellSuccess(true));
    acknowledge();
    receive("success");
    send(message);
    assertFault(why);
  }

  private void fail() throws Exception {
    answer(
        "'outcome':'ok','ack':true,'modification':{'depends':[{'id':'missing','queue':'x','version':3}]}");
  }

  @Test
  void shouldTellWhatDidNotMatchAndLeaveTheTask() throws Exception {
    begin(config().tellDependency(true).tellSuccess(true));
    fail();
    assertThat(receive("dependency").get("deps").toString())
        .isEqualTo(
            "[{\"type\":\"DEPEND\",\"id\":{\"id\":\"missing\",\"version\":3,\"queue\":\"x\"}}]");
    send("{'type':'done','outcome':'ok'}");
    await(() -> only("in").arrivalTime().isAfter(queue.time()));
    assertLeftToItsLease();
    queue.advance(LEASE);
    receive("doWork");
  }

  @ParameterizedTest
  @CsvSource({
    "\"outcome\":\"retry\";\"after\":\"1h\",in",
    "\"outcome\":\"move\",in/err",
    "\"outcome\":\"move\";\"to\":\"other\",other"
  })
  void shouldDoWhatTheProgramDecidesThen(String answer, String target) throws Exception {
    begin(config().tellDependency(true));
    fail();
    receive("dependency");
    send("{'type':'done','message':'lost',%s}".formatted(answer.replace(';', ',')));
    await(() -> !tasks(target).isEmpty() && tasks(target).get(0).attempt() == 1);
    assertThat(only(target).err()).isEqualTo("lost");
  }

  @Test
  void shouldLeaveATaskWhoseCommitDidNotMatch() throws Exception {
    begin(config());
    fail();
    // Which it gives to the program only after that commit.
    insert("2");
    receiveTask(2);
    acknowledge();
    await(() -> tasks("in").size() == 1);
    assertLeftToItsLease();
    workAgain();
  }

  @Test
  void shouldEndIfTheQueueRefusesTheModification() throws Exception {
    JsonNode task = begin(config()).get("task");
    answer(
        "'outcome':'ok','modification':{'deletes':[{'id':'%1$s','version':1},{'id':'%1$s','version':1}]}"
            .formatted(task.get("id").textValue()));
    assertFault("the program's modification was refused: ");
    assertLeftToItsLease();
  }

  private Doc insertDoc(String id) {
    return queue
        .modify(
            Modification.builder()
                .insertDoc(
                    DocInsert.into("ns", "k").withId(id).withSecondaryKey(id).withValue("old"))
                .build())
        .orThrow()
        .insertedDocs()
        .get(0);
  }

  private List<Doc> docs() {
    return queue.docs(DocQuery.in("ns"));
  }

  @Test
  void shouldClaimTheDocsThatTheProgramNeedsAndCommitThemAtTheNewestVersion() throws Exception {
    insertDoc("a");
    insertDoc("b");
    insert("1");
    connect(config().takeDocs(true));
    assertThat(receive("takeDocs").get("task").get("value").intValue()).isOne();
    send(
        "{'type':'docs','claims':[{'namespace':'ns','key':'z'},{'namespace':'ns','key':'k'},{'namespace':'ns','key':'k'}]}");
    JsonNode work = receive("doWork");
    assertThat(work.get("docs"))
        .extracting(doc -> doc.get("id").textValue())
        .containsExactly("a", "b");
    assertThat(work.get("docs").get(0).get("content").textValue()).isEqualTo("old");
    JsonNode groups = work.get("groups");
    assertThat(groups).extracting(group -> group.get("key").textValue()).containsExactly("k", "z");
    assertThat(groups.get(0).get("numDocs").intValue()).isEqualTo(2);
    assertThat(groups.get(0).get("claimant").textValue()).startsWith(queue.claimant() + "#");
    assertThat(groups.get(0).get("docs")).isEqualTo(work.get("docs"));
    assertThat(groups.get(1).get("docs")).isEmpty();
    int version = groups.get(0).get("version").intValue();
    queue.advance(LEASE.multipliedBy(2).dividedBy(3));
    await(() -> docs().get(0).version() > version);
    answer(
        "'outcome':'ok','ack':true,'modification':{'docChanges':[{'oldId':{'namespace':'ns','id':'a','version':%1$d},'newData':{'namespace':'ns','id':'a','key':'k','secondaryKey':'a','content':'new'}}],'docDeletes':[{'namespace':'ns','id':'b','version':%1$d}],'docInserts':[{'namespace':'ns','key':'k','secondaryKey':'c','content':{'x':1}}]}"
            .formatted(version));
    await(() -> tasks("in").isEmpty());
    assertThat(docs()).extracting(Doc::text).containsExactly("new", "{\"x\":1}");
    assertThat(docs()).noneMatch(doc -> doc.isHeldAt(queue.time()));
  }

  @Test
  void shouldWorkWithoutDocsIfTheProgramNeedsNone() throws Exception {
    insert("1");
    connect(config().takeDocs(true));
    receive("takeDocs");
    send("{'type':'docs'}");
    assertThat(receive("doWork").get("groups")).isEmpty();
    acknowledge();
    await(() -> tasks("in").isEmpty());
  }

  @Test
  void shouldLetTheTaskRestIfOthersHoldTheDocs() throws Exception {
    insertDoc("a");
    queue.claimDocs(DocClaim.of("ns", "k").withClaimant("other")).orThrow();
    insert("1");
    connect(config().takeDocs(true).maxAttempts(1).retryDelay(Duration.ofHours(1)));
    receive("takeDocs");
    send("{'type':'docs','claims':[{'namespace':'ns','key':'k'}]}");
    await(() -> only("in").arrivalTime().equals(queue.time().plus(Duration.ofHours(1))));
    assertThat(only("in").attempt()).as("it has not failed").isZero();
    assertThat(only("in").claims()).isZero();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'type':'result'}|type 'result', not 'docs'",
        "{'type':'docs','claims':{}}|claims must be a list",
        "{'type':'docs','claims':[7]}|claim must be an object",
        "{'type':'docs','claims':[{'id':'a'}]}|id of a claim is not possible here",
        "{'type':'docs','claims':[{'namespace':'ns'}]}|key",
      })
  void shouldEndAndLeaveTheTaskOfAMalformedClaim(String message, String why) throws Exception {
    insert("1");
    connect(config().takeDocs(true));
    receive("takeDocs");
    send(message);
    assertFault(why);
    assertLeftToItsLease();
  }

  @Test
  void shouldReleaseTheTaskOfAProgramThatHangsUpBeforeItNamesDocs() throws Exception {
    insert("1");
    connect(config().takeDocs(true));
    receive("takeDocs");
    hangUp();
    awaitEnd(WorkGateway.End.OK);
    assertReleased();
  }

  @Test
  void shouldTellWhichDocsDidNotMatch() throws Exception {
    insertDoc("a");
    begin(config().tellDependency(true));
    answer(
        "'outcome':'ok','modification':{'docInserts':[{'namespace':'ns','id':'a','key':'other'}],'docDepends':[{'namespace':'ns','id':'b','version':4}]}");
    assertThat(receive("dependency").get("deps").toString())
        .isEqualTo(
            "[{\"type\":\"INSERT\",\"docId\":{\"namespace\":\"ns\",\"id\":\"a\"}},{\"type\":\"DEPEND\",\"docId\":{\"namespace\":\"ns\",\"id\":\"b\",\"version\":4}}]");
    send("{'type':'done'}");
  }

  @Test
  void shouldEndWithTheQueue() throws Exception {
    connect(config());
    queue.close();
    assertError("gateway", "the queue was closed");
    awaitEnd(WorkGateway.End.GATEWAY);
  }

  /** What a call does instead; null to make the call. */
  private interface Detour {
    Object call(Object[] arguments) throws Exception;
  }

  /** The queue with the time of the system, where one method does something else. */
  private EntroQ instead(String name, Detour detour) {
    return (EntroQ)
        Proxy.newProxyInstance(
            EntroQ.class.getClassLoader(),
            new Class<?>[] {EntroQ.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("extension")) {
                return Optional.empty();
              }
              Object other = method.getName().equals(name) ? detour.call(arguments) : null;
              try {
                return other == null ? method.invoke(queue, arguments) : other;
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  @Test
  void shouldTellNothingOfACommitWhoseAnswerWasLost() throws Exception {
    insert("1");
    AtomicBoolean isLost = new AtomicBoolean();
    EntroQ lossy =
        instead(
            "modify",
            arguments -> {
              if (isLost.getAndSet(true)) {
                return null;
              }
              queue.modify((Modification) arguments[0]).orThrow();
              throw new EntroQException.OutcomeUnknown("lost");
            });
    connect(config().tellSuccess(true).tellDependency(true), lossy);
    receive("doWork");
    acknowledge();
    assertError("transient", "lost");
    insert("2");
    receiveTask(2);
  }

  @Test
  void shouldTellNothingOfTheRetryOfATaskWhoseResultFindsNoRoom() throws Exception {
    insert("1");
    AtomicBoolean isFull = new AtomicBoolean(true);
    EntroQ full =
        instead(
            "modify",
            arguments -> {
              if (isFull.getAndSet(false)) {
                throw new EntroQException.InvalidArgument("full", Optional.of("out"));
              }
              return null;
            });
    connect(config().tellSuccess(true), full);
    receive("doWork");
    acknowledge();
    await(() -> only("in").attempt() == 1);
    insert("2");
    receiveTask(2);
  }

  @Test
  void shouldTellNothingOfATaskThatIsQuarantinedBeforeItsWork() throws Exception {
    begin(config().tellSuccess(true).maxClaims(1));
    Task lapsed = insert("2");
    assertThat(queue.tryClaim(Claim.from("in").withLease(Duration.ofMillis(1)))).isPresent();
    queue.advance(Duration.ofMillis(2));
    acknowledge();
    receive("success");
    send("{'type':'done'}");
    await(() -> !tasks("in/err").isEmpty());
    assertThat(only("in/err").id()).isEqualTo(lapsed.id());
    insert("3");
    receiveTask(3);
  }

  @Test
  void shouldClaimNothingAfterItsEnd() throws Exception {
    insert("1");
    AtomicInteger claims = new AtomicInteger();
    EntroQ counting =
        instead(
            "claimAsync",
            arguments -> {
              claims.incrementAndGet();
              return null;
            });
    connect(config(), counting);
    receive("doWork");
    insert("2");
    answer("'outcome':'fatal'");
    awaitEnd(WorkGateway.End.CALLER);
    assertThat(claims).hasValue(1);
  }

  @Test
  void shouldDeleteAnAcknowledgedTaskThatTheModificationDependsOn() throws Exception {
    JsonNode task = begin(config()).get("task");
    answer(
        "'outcome':'ok','ack':true,'modification':{'depends':[{'id':'%s','version':1,'queue':'in'}],'inserts':[{'queue':'out'}]}"
            .formatted(task.get("id").textValue()));
    await(() -> !tasks("out").isEmpty());
    assertThat(tasks("in")).isEmpty();
  }

  @Test
  void shouldReportAQueueThatIsNotAvailableAndGiveUp() throws Exception {
    EntroQ unavailable =
        instead(
            "claimAsync",
            arguments -> CompletableFuture.failedFuture(new EntroQException.Unavailable("gone")));
    connect(config().unavailableMax(Duration.ofMillis(50)), unavailable);
    assertError("transient", "the queue is not available: gone");
    awaitEnd(WorkGateway.End.TRANSIENT);
  }
}
