package dev.millrace.schemas.eventsource;

/** The kinds of event sources, in the order of the reference. */
public enum EventSourceType {
    WEBHOOK("webhook"),
    GITHUB("github"),
    GITLAB("gitlab"),
    BITBUCKET("bitbucket"),
    BITBUCKETSERVER("bitbucketserver"),
    GERRIT("gerrit"),
    SLACK("slack"),
    STRIPE("stripe"),
    SNS("sns"),
    STORAGE_GRID("storageGrid"),
    CALENDAR("calendar"),
    FILE("file"),
    SFTP("sftp"),
    HDFS("hdfs"),
    RESOURCE("resource"),
    MINIO("minio"),
    AMQP("amqp"),
    KAFKA("kafka"),
    MQTT("mqtt"),
    NATS("nats"),
    NSQ("nsq"),
    REDIS("redis"),
    REDIS_STREAM("redisStream"),
    PULSAR("pulsar"),
    EMITTER("emitter"),
    SQS("sqs"),
    PUB_SUB("pubSub"),
    AZURE_EVENTS_HUB("azureEventsHub"),
    AZURE_SERVICE_BUS("azureServiceBus"),
    AZURE_QUEUE_STORAGE("azureQueueStorage"),
    MNS("mns"),
    GENERIC("generic");

    private final String key;

    EventSourceType(String key) {
        this.key = key;
    }

    /** The key below {@code spec} that holds the entries of this type. */
    public String key() {
        return key;
    }

    @Override
    public String toString() {
        return key;
    }
}
