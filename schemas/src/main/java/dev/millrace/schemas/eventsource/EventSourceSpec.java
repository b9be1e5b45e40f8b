package dev.millrace.schemas.eventsource;

import dev.millrace.schemas.Json;
import dev.millrace.schemas.event.PodTemplate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The spec of an EventSource: entries by type and event name. */
public record EventSourceSpec(
        @Nullable String eventBusName,
        @Nullable Integer replicas,
        @Nullable PodTemplate template,
        @Nullable ServiceSpec service,
        Map<String, WebhookSource> webhook,
        Map<String, JsonNode> github,
        Map<String, JsonNode> gitlab,
        Map<String, JsonNode> bitbucket,
        Map<String, JsonNode> bitbucketserver,
        Map<String, JsonNode> gerrit,
        Map<String, JsonNode> slack,
        Map<String, JsonNode> stripe,
        Map<String, JsonNode> sns,
        Map<String, JsonNode> storageGrid,
        Map<String, CalendarSource> calendar,
        Map<String, JsonNode> file,
        Map<String, JsonNode> sftp,
        Map<String, JsonNode> hdfs,
        Map<String, JsonNode> resource,
        Map<String, JsonNode> minio,
        Map<String, JsonNode> amqp,
        Map<String, JsonNode> kafka,
        Map<String, JsonNode> mqtt,
        Map<String, JsonNode> nats,
        Map<String, JsonNode> nsq,
        Map<String, JsonNode> redis,
        Map<String, JsonNode> redisStream,
        Map<String, JsonNode> pulsar,
        Map<String, JsonNode> emitter,
        Map<String, JsonNode> sqs,
        Map<String, JsonNode> pubSub,
        Map<String, JsonNode> azureEventsHub,
        Map<String, JsonNode> azureServiceBus,
        Map<String, JsonNode> azureQueueStorage,
        Map<String, JsonNode> mns,
        Map<String, JsonNode> generic) {
    public EventSourceSpec {
        webhook = webhook == null ? Map.of() : webhook;
        github = github == null ? Map.of() : github;
        gitlab = gitlab == null ? Map.of() : gitlab;
        bitbucket = bitbucket == null ? Map.of() : bitbucket;
        bitbucketserver = bitbucketserver == null ? Map.of() : bitbucketserver;
        gerrit = gerrit == null ? Map.of() : gerrit;
        slack = slack == null ? Map.of() : slack;
        stripe = stripe == null ? Map.of() : stripe;
        sns = sns == null ? Map.of() : sns;
        storageGrid = storageGrid == null ? Map.of() : storageGrid;
        calendar = calendar == null ? Map.of() : calendar;
        file = file == null ? Map.of() : file;
        sftp = sftp == null ? Map.of() : sftp;
        hdfs = hdfs == null ? Map.of() : hdfs;
        resource = resource == null ? Map.of() : resource;
        minio = minio == null ? Map.of() : minio;
        amqp = amqp == null ? Map.of() : amqp;
        kafka = kafka == null ? Map.of() : kafka;
        mqtt = mqtt == null ? Map.of() : mqtt;
        nats = nats == null ? Map.of() : nats;
        nsq = nsq == null ? Map.of() : nsq;
        redis = redis == null ? Map.of() : redis;
        redisStream = redisStream == null ? Map.of() : redisStream;
        pulsar = pulsar == null ? Map.of() : pulsar;
        emitter = emitter == null ? Map.of() : emitter;
        sqs = sqs == null ? Map.of() : sqs;
        pubSub = pubSub == null ? Map.of() : pubSub;
        azureEventsHub = azureEventsHub == null ? Map.of() : azureEventsHub;
        azureServiceBus = azureServiceBus == null ? Map.of() : azureServiceBus;
        azureQueueStorage = azureQueueStorage == null ? Map.of() : azureQueueStorage;
        mns = mns == null ? Map.of() : mns;
        generic = generic == null ? Map.of() : generic;
    }

    /**
     * One named event of the source.
     *
     * @param name unique over all types of the object; what sensors call {@code eventName}
     * @param config as written; of webhook and calendar entries what their records hold
     */
    public record Entry(EventSourceType type, String name, JsonNode config) {}

    /** All entries, by type in the order of {@link EventSourceType}. */
    public List<Entry> entries() {
        List<Entry> entries = new ArrayList<>();
        for (EventSourceType type : EventSourceType.values()) {
            of(type).forEach(
                            (name, config) ->
                                    entries.add(new Entry(type, name, Json.tree(config))));
        }
        return List.copyOf(entries);
    }

    private Map<String, ?> of(EventSourceType type) {
        return switch (type) {
            case WEBHOOK -> webhook;
            case GITHUB -> github;
            case GITLAB -> gitlab;
            case BITBUCKET -> bitbucket;
            case BITBUCKETSERVER -> bitbucketserver;
            case GERRIT -> gerrit;
            case SLACK -> slack;
            case STRIPE -> stripe;
            case SNS -> sns;
            case STORAGE_GRID -> storageGrid;
            case CALENDAR -> calendar;
            case FILE -> file;
            case SFTP -> sftp;
            case HDFS -> hdfs;
            case RESOURCE -> resource;
            case MINIO -> minio;
            case AMQP -> amqp;
            case KAFKA -> kafka;
            case MQTT -> mqtt;
            case NATS -> nats;
            case NSQ -> nsq;
            case REDIS -> redis;
            case REDIS_STREAM -> redisStream;
            case PULSAR -> pulsar;
            case EMITTER -> emitter;
            case SQS -> sqs;
            case PUB_SUB -> pubSub;
            case AZURE_EVENTS_HUB -> azureEventsHub;
            case AZURE_SERVICE_BUS -> azureServiceBus;
            case AZURE_QUEUE_STORAGE -> azureQueueStorage;
            case MNS -> mns;
            case GENERIC -> generic;
        };
    }
}
